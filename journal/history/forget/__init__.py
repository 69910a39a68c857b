"""Take things back: `journal redact` replaces a secret found later, `journal gc` old texts."""
