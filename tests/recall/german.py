"""A session in German, a language without texts of its own: firmware in C."""

from tests.recall.session import Session

FIRMWARE = Session(
    "en",
    [
        ("prompt", ("Der Sensor liefert nach dem Aufwachen falsche Werte. Bitte die Ursache finden. Am "
                   "Bootloader darf auf keinen Fall etwas geändert werden. Ticket FW-1043.")),
        ("read", "src/drivers/adc.c"),
        ("run", "cmake --build build --target firmware", "[100%] Built target firmware"),
        ("say", ("Die Ursache: nach dem Schlafmodus wird der ADC nicht neu kalibriert, deshalb driftet "
                "die erste Messung.")),
        ("edit", "src/drivers/adc.c"),
        ("fail", "ctest --test-dir build --output-on-failure",
         "Test project /build\n" + "    Start 1: ring\n" * 40 +
         "adc_test.c:112: test_wakeup: FAIL: Expected 512 Was 498\n"
         "The following tests FAILED:\n\t  7 - adc (Failed)\nErrors while running CTest"),
        ("edit", "src/power/wakeup.c"),
        ("run", "ctest --test-dir build --output-on-failure", "100% tests passed, 0 tests failed out of 9"),
        ("prompt", "weiter"),
        ("refuse", "nein, keine Warteschleife einbauen, nimm den Timer-Interrupt"),
        ("ask", "Wie oft soll kalibriert werden?", ["Bei jedem Aufwachen", "Stündlich"], "Stündlich"),
        ("say", ("Statt einer Warteschleife nutze ich den Timer-Interrupt, weil das Gerät sonst 4 mA "
                "mehr verbraucht.")),
        ("prompt", "ja"),
        ("prompt", "Ergänze bitte noch die Messwerte im Selbsttest und lass das Protokollformat unverändert."),
        ("edit", "src/selftest/report.c"),
        ("run", "clang-tidy -p build src/selftest/report.c", ""),
        ("run", "git commit -am 'ADC nach dem Schlaf kalibrieren'", "[main 5f0be92] ADC nach dem Schlaf kalibrieren"),
        ("prompt", "ok"),
    ],
    "Zusammenfassung: Der Sensor liefert nach dem Aufwachen falsche Werte; src/drivers/adc.c wurde "
    "geändert. Offen: der Selbsttest.",
    [
        ("constraint", "words", "Bootloader darf auf keinen Fall etwas geändert werden"),
        ("request", "words", "Messwerte im Selbsttest und lass das Protokollformat unverändert"),
        ("refusal", "words", "nein, keine Warteschleife einbauen, nimm den Timer-Interrupt"),
        ("decision", "words", "nach dem Schlafmodus wird der ADC nicht neu kalibriert, deshalb driftet die erste Messung"),
        ("decision", "words", "Statt einer Warteschleife nutze ich den Timer-Interrupt, weil das Gerät sonst"),
        ("choice", "words", "Wie oft soll kalibriert werden? Stündlich"),
        ("file", "path", "src/power/wakeup.c"),
        ("file", "path", "src/selftest/report.c"),
        ("error", "words", "adc_test.c:112 test_wakeup FAIL Expected 512 Was 498"),
        ("fix", "pair", ["test_wakeup FAIL Expected 512 Was 498", "wakeup.c"]),
        ("command", "command", "cmake --build build --target firmware"),
        ("command", "command", "ctest --test-dir build --output-on-failure"),
        ("command", "command", "clang-tidy -p build src/selftest/report.c"),
        ("id", "token", "FW-1043"),
        ("id", "token", "5f0be92"),
    ],
)  # fmt: skip
