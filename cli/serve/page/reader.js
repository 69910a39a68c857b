// A conversation whose rows the server computes; this opens tool calls and scrolls.
// Every text is a Vue text node, so nothing in it can become markup.
const Spans = {
  props: { spans: Array },
  template: `<template v-for="([text, mark], at) in spans" :key="at"><code v-if="mark === 'code'">{{ text
    }}</code><b v-else-if="mark === 'bold'">{{ text }}</b><template v-else>{{ text }}</template></template>`,
};
const Parts = {
  components: { Spans },
  props: { parts: Array },
  template: `<template v-for="([kind, spans, rows], at) in parts" :key="at"><pre v-if="kind === 'code'">{{ spans[0][0] }}</pre>
    <div v-else-if="kind === 'table'" class="j-scroll" tabindex="0" role="region" aria-label="Table"><table class="j-cells">
      <thead><tr><th v-for="(cell, of) in rows[0]" :key="of"><Spans :spans="cell" /></th></tr></thead>
      <tbody><tr v-for="(row, to) in rows.slice(1)" :key="to"><td v-for="(cell, of) in row" :key="of"><Spans :spans="cell" /></td></tr></tbody>
    </table></div><div v-else class="j-text"><Spans :spans="spans" /></div></template>`,
};
const Call = {
  props: { row: Object },
  emits: ["details"],
  template: `
    <details class="j-call" :class="{ 'is-bad': row.bad }" @toggle="$event.target.open && row.use && !row.details.length && $emit('details', row.use)">
      <summary><b>{{ row.name }}</b> {{ row.text }} <span v-if="row.outcome">({{ row.outcome }})</span></summary>
      <pre v-for="(text, at) in row.details" :key="at">{{ text }}</pre>
      <p v-if="!row.details.length" class="j-soft">{{ row.use && row.asked !== true ? 'Loading…' : 'No more of this call is stored.' }}</p>
    </details>`,
};
export default {
  components: { Parts, Call },
  template: `
    <div class="j-reading" role="document" aria-label="Conversation">
      <template v-for="row in rows" :key="load + '/' + row.id">
        <div v-if="row.kind === 'day'" class="j-day">{{ row.text }}</div>
        <div v-else-if="row.kind === 'speaker'" class="j-who">{{ row.text }} <time>{{ row.at }}</time></div>
        <div v-else-if="row.kind === 'prompt'" class="j-prompt"><Parts :parts="row.parts" /></div>
        <div v-else-if="row.kind === 'answer'"><Parts :parts="row.parts" /></div>
        <Call v-else-if="row.kind === 'tool'" :row="row" @details="(use) => $emit('details', use)" />
        <details v-else-if="row.kind === 'agent'" class="j-call"><summary>{{ row.text }}</summary>
          <div class="j-inner"><template v-for="(one, at) in row.rows" :key="at">
            <Call v-if="one.kind === 'tool'" :row="one" @details="(use) => $emit('details', use)" /><Parts v-else :parts="one.parts" />
          </template></div></details>
        <section v-else-if="row.kind === 'compaction'" class="j-compaction" :id="'j-row-' + row.id" tabindex="-1">
          <h3>{{ row.text }} <time>{{ row.at }}</time></h3>
          <p v-for="(line, at) in row.lines" :key="at">{{ line }}</p>
          <details v-if="row.parts.length"><summary>The summary</summary><Parts :parts="row.parts" /></details>
        </section>
        <div v-else-if="row.kind === 'decision'" class="j-decided">Decided: {{ row.text }}</div>
        <div v-else class="j-soft">{{ row.text }}</div>
      </template>
      <button v-if="more" type="button" class="j-more" @click="$emit('more')">{{ more }}</button>
    </div>`,
  props: { rows: Array, more: String, load: Number, goal: Array },
  emits: ["details", "more"],
  updated() {
    // Done only once the row is there: an answer to something else may be drawn first.
    const [id, jump] = this.goal || [];
    const row = jump !== this.reached && document.getElementById("j-row-" + id);
    if (!row) return;
    this.reached = jump;
    row.scrollIntoView({ block: "start" });
    row.focus({ preventScroll: true });
  },
};
