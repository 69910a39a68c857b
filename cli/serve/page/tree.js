// A tree whose rows the server computes; this handles focus, keys and the start of a drag.
// Every text is a Vue text node, so nothing in it can become markup.
export default {
  template: `
    <div class="j-tree" role="tree" aria-multiselectable="true" :aria-label="label" :aria-busy="busy"
         @keydown="onKey" @focusin="onFocus">
      <div v-for="row in rows" :key="row.id" :data-id="row.id" role="treeitem"
           class="j-row" :class="['is-' + row.kind, { 'is-selected': row.selected, 'is-reading': row.reading }]"
           :aria-current="row.reading ? 'true' : null"
           :aria-level="row.level" :aria-posinset="row.pos" :aria-setsize="row.size"
           :aria-expanded="row.kind === 'group' ? String(row.open) : null"
           :aria-selected="row.kind === 'session' ? String(row.selected) : null"
           :aria-label="labelOf(row)"
           :tabindex="row.id === current ? 0 : -1"
           :draggable="row.kind === 'session'"
           :style="{ '--level': row.level }"
           @click="onClick(row)" @dragstart="onDrag($event, row)">
        <template v-if="row.kind === 'group'">
          <span class="j-twist" aria-hidden="true">{{ row.open ? '▾' : '▸' }}</span>
          <span class="j-name">{{ row.label }}</span>
          <span class="j-count">{{ row.count }}</span>
        </template>
        <template v-else-if="row.kind === 'session'">
          <span v-if="row.time" class="j-time">{{ row.time }}</span>
          <span class="j-body">
            <span class="j-title" :title="row.label">{{ row.label }}</span>
            <span class="j-note"><span v-if="row.status === 'open'" class="j-open">open</span>{{ row.note.replaceAll(' · ', '\u00a0· ') }}</span>
            <span class="j-weight">{{ row.weight }}</span>
            <span v-if="row.parts.length" class="j-snippet"><template
              v-for="(part, at) in row.parts" :key="at"><mark v-if="part[1]">{{ part[0] }}</mark><template
              v-else>{{ part[0] }}</template></template></span>
          </span>
          <button type="button" class="j-toggle" tabindex="-1" :title="action(row)" :aria-label="action(row) + ': ' + row.label"
                  @click.stop="current = row.id; $emit('toggle', row.id)">{{ row.selected ? '✓' : '+' }}</button>
        </template>
        <span v-else class="j-name">{{ row.label }}</span>
      </div>
    </div>`,
  props: { rows: Array, of: String, label: String, busy: Boolean },
  emits: ["toggle", "expand", "open"],
  mounted() {
    this.onSlash = (event) => {
      const at = document.activeElement;
      const typing = at && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
      if (event.key !== "/" || typing || event.altKey || event.ctrlKey || event.metaKey) return;
      const box = [...document.querySelectorAll(".j-search input")].find((one) => one.offsetParent);
      if (!box) return;
      event.preventDefault();
      box.focus();
      box.select();
    };
    document.addEventListener("keydown", this.onSlash);
  },
  unmounted() {
    document.removeEventListener("keydown", this.onSlash);
  },
  data() {
    return { current: this.rows.length ? this.rows[0].id : null };
  },
  watch: {
    of() {
      this.$nextTick(() => this.$el.scrollTo(0, 0));
    },
    rows(rows, old) {
      if (rows.some((row) => row.id === this.current)) return;
      const focused = this.$el.contains(document.activeElement);
      const at = Math.min(old.findIndex((row) => row.id === this.current), rows.length - 1);
      this.current = rows.length ? rows[Math.max(0, at)].id : null;
      if (focused) this.$nextTick(() => this.focus(this.current));
    },
  },
  methods: {
    action(row) {
      return row.selected ? "Remove from context" : "Add to context";
    },
    labelOf(row) {
      if (row.kind === "group") return `${row.label}, ${row.count} session${row.count === 1 ? "" : "s"}`;
      if (row.kind === "more") return row.label;
      const found = row.parts.map((part) => part[0]).join("");
      return [row.label, row.time, row.status, row.note, row.weight, found, row.selected ? "in context" : ""]
        .filter(Boolean).join(", ");
    },
    at() {
      return this.rows.findIndex((row) => row.id === this.current);
    },
    focus(id) {
      this.current = id;
      this.$nextTick(() => {
        const row = [...this.$el.children].find((child) => child.dataset.id === id);
        row?.focus();
      });
    },
    onFocus(event) {
      const row = event.target.closest("[data-id]");
      if (row) this.current = row.dataset.id;
    },
    onClick(row) {
      this.current = row.id;
      this.$emit(row.kind === "session" ? "open" : "expand", row.id);
    },
    onDrag(event, row) {
      event.dataTransfer.setData("application/x-journal", row.id);
      event.dataTransfer.setData("text/plain", row.label);
      event.dataTransfer.effectAllowed = "copyMove";
    },
    activate(row, key) {
      const act = key === "Enter" ? "open" : "toggle";
      this.$emit(row.kind === "session" ? act : "expand", row.id);
    },
    onKey(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("button")) return;
      const at = this.at();
      const row = this.rows[at];
      if (!row) return;
      const to = this.step(event.key, at, row);
      if (to === undefined) return;
      event.preventDefault();
      if (to !== null && this.rows[to]) this.focus(this.rows[to].id);
    },
    // The row a key moves to: an index, null for "handled here", undefined for "not handled".
    step(key, at, row) {
      const last = this.rows.length - 1;
      if (key === "ArrowDown") return Math.min(at + 1, last);
      if (key === "ArrowUp") return Math.max(at - 1, 0);
      if (key === "Home") return 0;
      if (key === "End") return last;
      if (key === "Enter" || key === " ") return this.activate(row, key), null;
      if (key === "ArrowRight") {
        if (row.kind !== "group") return null;
        if (row.open) return this.rows[at + 1]?.level > row.level ? at + 1 : null;
        return this.$emit("expand", row.id), null;
      }
      if (key === "ArrowLeft") {
        if (row.kind === "group" && row.open) return this.$emit("expand", row.id), null;
        for (let up = at - 1; up >= 0; up--) if (this.rows[up].level < row.level) return up;
        return null;
      }
      return undefined;
    },
  },
};
