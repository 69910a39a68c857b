// The selected sessions: the server owns their order; this handles drag, drop and focus.
// Every text is a Vue text node, so nothing in it can become markup.
export default {
  template: `
    <div class="j-selection" :class="{ 'is-over': over !== null, 'is-empty': !items.length }">
      <ol class="j-items" :aria-label="label" v-if="items.length">
        <li v-for="(item, at) in items" :key="item.key" :data-id="item.key" class="j-item" tabindex="0"
            :class="{ 'drop-before': over === at, 'drop-after': over === items.length && at === items.length - 1 }"
            :aria-label="(at + 1) + ' of ' + items.length + ': ' + item.title"
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
            draggable="true" @dragstart="onDrag($event, item)" @keydown="onKey($event, item, at)">
          <span class="j-grip" aria-hidden="true">⠿</span>
          <span class="j-body">
            <span class="j-title" :title="item.title">{{ item.title }}</span>
            <span class="j-note">{{ item.note }}</span>
          </span>
          <span class="j-tools">
            <button type="button" data-act="up" :aria-disabled="String(at === 0)" title="Move up"
                    :aria-label="'Move up: ' + item.title" @click="move(item, at, -1)">↑</button>
            <button type="button" data-act="down" :aria-disabled="String(at === items.length - 1)" title="Move down"
                    :aria-label="'Move down: ' + item.title" @click="move(item, at, 1)">↓</button>
            <button type="button" data-act="remove" title="Remove"
                    :aria-label="'Remove: ' + item.title" @click="$emit('remove', item.key)">×</button>
          </span>
        </li>
      </ol>
      <p v-else class="j-empty" tabindex="-1">{{ empty }}</p>
    </div>`,
  props: { items: Array, label: String, empty: String },
  emits: ["insert", "move", "remove"],
  data() {
    return { over: null };
  },
  mounted() {
    // The whole panel around the list takes a drop: nobody has to aim.
    this.pane = this.$el.closest("section") || this.$el;
    this.handlers = { dragover: this.onOver, dragleave: this.onLeave, drop: this.onDrop };
    for (const [name, act] of Object.entries(this.handlers)) this.pane.addEventListener(name, act);
  },
  unmounted() {
    for (const [name, act] of Object.entries(this.handlers)) this.pane.removeEventListener(name, act);
  },
  watch: {
    over(at) { this.pane.classList.toggle("is-over", at !== null); },
  },
  beforeUpdate() {
    const row = this.$el.contains(document.activeElement) && document.activeElement.closest(".j-item");
    this.focused = row && {
      key: row.dataset.id,
      at: [...row.parentNode.children].indexOf(row),
      act: document.activeElement.dataset.act,
    };
  },
  updated() {
    // Moving or removing a row loses the focus: return it to the row, or to the one in its place.
    if (!this.focused || this.$el.contains(document.activeElement)) return;
    const { key, at, act } = this.focused;
    const rows = [...this.$el.querySelectorAll(".j-item")];
    const row = rows.find((item) => item.dataset.id === key) || rows[Math.min(at, rows.length - 1)];
    const target = row ? (act && row.querySelector(`[data-act=${act}]`)) || row : this.$el.querySelector(".j-empty");
    target?.focus();
  },
  methods: {
    move(item, at, by) {
      if (at + by >= 0 && at + by < this.items.length) this.$emit("move", item.key, by);
    },
    onKey(event, item, at) {
      if (event.altKey && event.key === "ArrowUp") this.move(item, at, -1);
      else if (event.altKey && event.key === "ArrowDown") this.move(item, at, 1);
      else if (event.key === "Delete") this.$emit("remove", item.key);
      else return;
      event.preventDefault();
    },
    onDrag(event, item) {
      event.dataTransfer.setData("application/x-journal", item.key);
      event.dataTransfer.setData("text/plain", item.title);
      event.dataTransfer.effectAllowed = "copyMove";
    },
    isSession(event) {
      return event.dataTransfer.types.includes("application/x-journal");
    },
    onOver(event) {
      if (!this.isSession(event)) return;
      event.preventDefault();
      const rows = [...this.$el.querySelectorAll(".j-item")];
      const inside = this.$el.contains(event.target);
      const at = !inside ? -1 : rows.findIndex((row) => {
        const box = row.getBoundingClientRect();
        return event.clientY < box.top + box.height / 2;
      });
      this.over = at < 0 ? rows.length : at;
    },
    onLeave(event) {
      if (!this.pane.contains(event.relatedTarget)) this.over = null;
    },
    onDrop(event) {
      if (!this.isSession(event)) return;
      event.preventDefault();
      const at = this.over ?? this.items.length;
      this.over = null;
      this.$emit("insert", event.dataTransfer.getData("application/x-journal"), at);
    },
  },
};
