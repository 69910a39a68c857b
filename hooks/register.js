// The journal inside Claude Code: hands the frequent events to a warm Python child, so that no
// process has to start for them. The command hooks in hooks.json stay: where this module has
// recorded an event it marks the event's input, and the command hook (guard.sh) ends at once; where
// it has not, for whatever reason, the command hook does the work.

/** @typedef {import('claude-code').EngineInterface} Engine */

const LIMIT = 50 // ms to wait for the child before its call is cancelled
const HANGS = 1_000 // ms to wait for the cancellation
const ANSWER = 9_000 // ms to wait for an event that can no longer be cancelled
const PAUSE = 5_000 // ms between two starts of the child
const STARTS = 5_000 // ms that a tool waits for a child that is starting
const AFTER = 300 // ms from the first event to the start of the child where nobody types
const LAG = 2_000 // ms until a compaction stands in the transcript, from which the pane has it
const TOAST = 20_000 // ms a message stays
const MINUTE = 60_000
const PANE = 'journal'
const INPUTS = ['query', 'all', 'limit', 'source', 'kind', 'text'] // of all tools
const OFF = 3 // the child's exit code for "switched off"

/** The child of this process: its socket ("" for none), whether it runs, when it started. */
const child = {
  socket: '', runs: false, started: 0, off: false, python: '', end: () => {},
  /** Settled once a child that starts has its socket, or has ended. */
  ready: Promise.resolve(),
}

/** What the user sees: whether there is a screen, its texts, when they were asked for. */
const screen = {
  isThere: false, status: '', row: '', offer: '', instructions: '', pane: [], asked: 0,
  isLooking: false, isDue: false,
}

/** The newest messages shown as toasts, newest first: the pane has them when they are gone. */
const messages = []
const MESSAGES = 6

/** Whether the model's tools were registered. */
const tools = { areOffered: false }

/** What numbers the calls: unlike those of a module loaded before this one. */
const calls = { first: Date.now(), count: 0 }

/** The compaction threshold as Claude Code says it, 0 unknown; when it was asked for. */
const compaction = { threshold: 0, asked: 0 }

/** @type {import('claude-code').Register} */
export const register = on => {
  on('session.start', async ($, e, next) => {
    const answer = await next(e)
    screen.isThere = e.isInteractive
    if (e.isInteractive) begin($)
    return answer
  })
  on('session.measure', async ($, e, next) => {
    void askThreshold($)
    void look($)
    return next(e)
  })
  on('classic.PostCompact', ($, e, next) => thenLook($, next(e)))
  on('classic.SessionStart', { source: ['compact', 'clear', 'resume'] }, ($, e, next) =>
    thenLook($, next(e)),
  )
  on('tool.call', { tool: 'mcp__journal__recall' }, ($, e) => called($, 'recall', e))
  on('tool.call', { tool: 'mcp__journal__get' }, ($, e) => called($, 'get', e))
  on('tool.call', { tool: 'mcp__journal__note' }, ($, e) => called($, 'note', e))
  on('tool.call', { tool: 'mcp__journal__status' }, ($, e) => called($, 'status', e))
  on('command.run', { command: 'journal:pane' }, ($, e, next) => openPane($, e, next))
  on('ui.render', { component: 'Pane' }, ($, e, next) => drawPane($, e, next))
  on('ui.render', { component: 'AbovePrompt' }, ($, e, next) => drawRow($, e, next))
  on('classic.UserPromptSubmit', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.PostToolUse', async ($, e, next) => {
    const answer = await recorded($, e)
    const settled = await next(marked(e, answer))
    if (Date.now() - screen.asked > PAUSE) void look($)
    return settled
  })
  on('classic.PostToolUseFailure', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.SubagentStop', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.Stop', async ($, e, next) => next(marked(e, await recorded($, e))))
}

/**
 * Start the child and register the tools, beside whatever goes on.
 * @param {Engine} $
 */
function begin($) {
  void keep($)
  void offerTools($) // each tool costs Claude Code a connection to itself: 0.1 s
}

/**
 * Start the child and read its output until it ends. The interpreter is the hooks' own.
 * @param {Engine} $
 */
async function keep($) {
  if (child.runs || child.off || Date.now() - child.started < PAUSE) return
  child.runs = true
  child.started = Date.now()
  let isReady = () => {}
  child.ready = new Promise(resolve => (isReady = resolve))
  try {
    const root = $.plugin.root
    const file = JSON.parse(await $.fs.read(`${root}/hooks/hooks.json`))
    const python = file.hooks.SessionStart[0].hooks[0].command
    const argv = [python, '-I', '-S', `${root}/hooks/warm/child.py`]
    const run = $.process.spawn({ argv, cwd: root, env: await $.process.hookEnv() })
    child.python = python
    child.end = () => void run.return({ code: null, signal: null })
    let said = ''
    for await (const { stream, text } of run) {
      if (stream !== 'stdout' || child.socket) continue
      said += text
      if (said.endsWith('\n')) child.socket = said.trimEnd()
      if (child.socket) isReady()
      void look($)
    }
    child.off = (await run.result).code === OFF
  } catch {
    // The command hooks work without it.
  }
  child.socket = ''
  child.runs = false
  isReady()
}

/**
 * Return the number of the event's answer, '' for none; undefined where it is not recorded.
 * @param {Engine} $
 * @param {{ agent_id?: string, journal?: string }} e
 * @returns {Promise<string | undefined>}
 */
async function recorded($, e) {
  const socketPath = child.socket
  if (!socketPath || e.journal !== undefined) {
    if (child.started) void keep($)
    // In `claude -p` the first request goes out now, and what starts beside it delays it.
    else $.clock.after(AFTER, () => begin($))
    return undefined
  }
  try {
    const toasts = screen.isThere ? '1' : ''
    const headers = { measured: await measured($, e), toasts, sent: String(Date.now()) }
    const body = JSON.stringify(e) + '\n'
    const number = `${calls.first}${++calls.count}`
    const url = 'http://journal/'
    const said = $.http.fetch(url + number, { method: 'POST', headers, body, socketPath })
    const soon = await within(LIMIT, said)
    if (soon) return answered($, soon)
    const init = { method: 'POST', socketPath }
    const cancelled = await within(HANGS, $.http.fetch(`${url}cancel/${number}`, init))
    if (!cancelled) {
      child.socket = '' // it hangs: never wait for it again
      child.end()
    }
    if (cancelled?.text !== '0') return undefined
    return answered($, await within(ANSWER, said))
  } catch {
    return undefined
  }
}

/**
 * Show the message that came with a reply; return the number of the event's answer, as `recorded`.
 * @param {Engine} $
 * @param {{ status: number, text: string } | undefined} reply
 * @returns {string | undefined}
 */
function answered($, reply) {
  if (reply?.status !== 200) return undefined
  const [number, ...message] = reply.text.split('\n')
  if (message.length) {
    messages.unshift(message.join('\n'))
    messages.splice(MESSAGES)
    $.ui.toast(messages[0], { timeoutMs: TOAST })
  }
  return number
}

/**
 * Return tokens, window and compaction threshold of the main conversation, 0 for unknown.
 * @param {Engine} $
 * @param {{ agent_id?: string, journal?: string }} e
 * @returns {Promise<string>}
 */
async function measured($, e) {
  if (e.agent_id) return ''
  const { context } = await $.session.usage()
  return [context.tokens ?? 0, context.window ?? 0, compaction.threshold].map(Math.round).join(' ')
}

/**
 * Ask for the threshold, between turns and once a minute at most: it makes Claude Code count.
 * @param {Engine} $
 */
async function askThreshold($) {
  if (Date.now() - compaction.asked < MINUTE) return
  compaction.asked = Date.now()
  try {
    const { breakdown } = (await $.session.usage({ breakdown: 'summary' })).context
    const known = breakdown?.isAutoCompactEnabled && breakdown.autoCompactThreshold
    compaction.threshold = known || 0
  } catch {
    compaction.threshold = 0
  }
}

/**
 * Ask the child something that is not an event; undefined where it does not answer.
 * @param {Engine} $
 * @param {string} what
 * @param {object} question
 */
async function ask($, what, question) {
  if (!child.socket) return undefined
  const env = await $.process.hookEnv()
  const where = { session_id: env.CLAUDE_CODE_SESSION_ID, cwd: env.CLAUDE_PROJECT_DIR }
  const url = `http://journal/${what}/${calls.first}${++calls.count}`
  const body = JSON.stringify({ ...where, ...question })
  const init = { method: 'POST', body, socketPath: child.socket }
  const said = await within(ANSWER, $.http.fetch(url, init))
  return said?.status === 200 ? JSON.parse(said.text) : undefined
}

/**
 * Bring the status entry and the row above the prompt up to date, and the pane where it is open.
 * One look at a time: an older answer never replaces a newer one.
 * @param {Engine} $
 */
async function look($) {
  if (!screen.isThere || !child.socket) return
  screen.isDue = true
  if (screen.isLooking) return
  screen.isLooking = true
  try {
    while (screen.isDue) {
      screen.isDue = false
      screen.asked = Date.now()
      const pane = (await $.ui.panes()).some(one => one.id === PANE)
      const found = await ask($, 'screen', { pane })
      if (found) show($, found)
    }
  } catch {
    // It stays as it was.
  } finally {
    screen.isLooking = false
  }
}

/**
 * Look once the command hooks have recorded what changes the screen, and once the transcript has it.
 * @param {Engine} $
 */
async function thenLook($, answer) {
  const settled = await answer
  void look($)
  $.clock.after(LAG, () => void look($))
  return settled
}

/**
 * @param {Engine} $
 * @param {{ status: string, row: string, offer: string, instructions: string,
 *   pane: [string, string][] }} found
 */
function show($, found) {
  const isNew =
    found.row !== screen.row || found.offer !== screen.offer || found.pane.length > 0
  if (found.status !== screen.status) $.ui.status(found.status || undefined)
  Object.assign(screen, found)
  if (isNew) $.ui.invalidate('ui.render')
}

/**
 * Answer `/journal:pane` without the model.
 * @param {Engine} $
 */
async function openPane($, e, next) {
  if (!screen.isThere) return next(e)
  const found = await ask($, 'screen', { pane: true })
  if (!found) return next(e)
  if (!found.pane.length) return { text: 'The pane is off: screen.pane in the configuration.' }
  await $.ui.open({ id: PANE, title: 'Journal' })
  show($, found)
  return { text: 'Opened beside the conversation; \u2715 closes it.' }
}

/** @param {Engine} $ */
async function drawPane($, e, next) {
  if (e.requestId !== PANE) return next(e)
  const { Box, Text } = $.ui.resolve(e)
  const head = messages.length ? [['head', 'Messages']] : []
  const said = messages.map(text => ['text', text])
  const lines = [...screen.pane, ...head, ...said].map(([kind, text]) =>
    h(Text, { bold: kind === 'head' }, text),
  )
  return h(Box, { flexDirection: 'column' }, ...lines)
}

/** @param {Engine} $ */
async function drawRow($, e, next) {
  const { row } = screen
  const offer = e.props.isWorking ? '' : screen.offer // nothing can be compacted during a turn
  if (!row && !offer) return next(e)
  const { Box, Text, Button } = $.ui.resolve(e)
  const lines = []
  if (row) lines.push(h(Text, null, `Journal: ${row}`))
  if (offer) {
    const onPress = () => compactNow($)
    const button = h(Button, { key: 'compact', label: 'Compact now', autoFocus: true, onPress })
    lines.push(h(Box, null, h(Text, null, `Journal: ${offer} `), button))
  }
  return h(Box, { flexDirection: 'column' }, ...lines)
}

/**
 * Compact because the user has pressed the button; nothing else calls this.
 * @param {Engine} $
 */
async function compactNow($) {
  const { instructions } = screen
  screen.offer = ''
  $.ui.invalidate('ui.render')
  try {
    const { skip } = await $.session.compact(instructions ? { instructions } : {})
    if (skip) $.ui.toast(`Not compacted: ${skip}`)
  } catch {
    $.ui.toast('Not compacted: Claude is working. Type /compact when the turn has ended.')
  }
  void look($)
}

/**
 * Offer the four tools to the model; it finds them by search, so they cost a line each.
 * @param {Engine} $
 */
async function offerTools($) {
  if (tools.areOffered) return
  tools.areOffered = true
  try {
    const file = await $.fs.read(`${$.plugin.root}/journal/history/tools/tools.json`)
    for (const { name, description, inputSchema } of JSON.parse(file))
      await $.tool.register({ name, description, inputSchema, isDeferred: true })
  } catch {
    // The command line does the same.
  }
}

/**
 * Run one of the tools in the child.
 * @param {Engine} $
 */
async function called($, name, e) {
  void keep($)
  await within(STARTS, child.ready)
  const given = INPUTS.filter(key => e[key] !== undefined).map(key => [key, e[key]])
  const found = await ask($, 'tool', { name, input: Object.fromEntries(given) })
  if (!found) return { deny: `The journal does not answer. The command line does: journal --help` }
  return found.failed ? { deny: found.text } : { result: found.text }
}

/**
 * Return the event with the mark that guard.sh reads, or the event itself.
 * @template {object} E
 * @param {E} e
 * @param {string | undefined} answer
 * @returns {E}
 */
const marked = (e, answer) => (answer === undefined ? e : { journal: answer, ...e })

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>} undefined where it takes longer than `ms`
 */
function within(ms, promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
