// The journal inside Claude Code: hands the frequent events to a warm Python child, so that no
// process has to start for them. The command hooks in hooks.json stay: where this module has
// recorded an event it marks the event's input, and the command hook (guard.sh) ends at once; where
// it has not, for whatever reason, the command hook does the work. An event that cannot have an
// answer is marked at once and recorded behind the call; if the child fails, the module runs the hook.

/** @typedef {import('claude-code').EngineInterface} Engine */
/** @typedef {import('claude-code').HttpResponse} Reply */
/** @typedef {{ hook_event_name: string, session_id: string, agent_id?: string,
 *   journal?: string }} Event */

const LIMIT = 50 // ms to wait for the child before its call is cancelled
const PATIENCE = 500 // ms to wait for the child while no event waits
const HANGS = 1_000 // ms to wait for the cancellation
const ANSWER = 9_000 // ms to wait for an event that can no longer be cancelled
const LONG = 4_096 // characters: guard.sh reads so many in the time that a process takes to start
const GROWTH = 1.1 // from one tool call to the next, the tokens in the context grow less
const HOOK = 5_000 // ms that the hook may take
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
  socket: '', folder: '', runs: false, started: 0, off: false, python: '', end: () => {},
  /** Settled once a child that starts has its socket, or has ended. */
  ready: Promise.resolve(),
}

/** How many short events came in a row, and whether guard.sh was told that they are. */
const length = { row: 0, isShort: undefined }

/** The events that went on before they were recorded: when all are, and how many events wait. */
const queue = { recorded: Promise.resolve(), waiting: 0, hurry: () => {} }

/**
 * Between how many tokens (`to` excluded) no tool call of the main conversation has an answer, and
 * how many there were when Claude Code was asked last.
 */
const silence = { session: '', from: 0, to: 0, tokens: 0 }

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
  on('classic.PreCompact', async ($, e, next) => {
    await caughtUp()
    silence.to = 0
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
  on('classic.UserPromptSubmit', ($, e, next) => handed($, e, next))
  on('classic.PostToolUse', async ($, e, next) => {
    const settled = await handed($, e, next)
    if (Date.now() - screen.asked > PAUSE) void queue.recorded.then(() => look($))
    return settled
  })
  on('classic.PostToolUseFailure', ($, e, next) => handed($, e, next))
  on('classic.SubagentStop', ($, e, next) => handed($, e, next))
  on('classic.Stop', ($, e, next) => handed($, e, next))
  on('classic.StopFailure', ($, e, next) => caughtUp().then(() => next(e)))
  on('classic.SessionEnd', ($, e, next) => caughtUp().then(() => next(e)))
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
    const env = await $.process.hookEnv()
    const run = $.process.spawn({ argv, cwd: root, env })
    child.python = python
    child.folder = `${env.CLAUDE_PLUGIN_DATA}/warm/${env.CLAUDE_PID}`
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
 * Have an event recorded and pass it on to the command hooks: marked where the child has recorded it,
 * or where the module sees to it that it is recorded although nobody waits for that.
 * @param {Engine} $
 * @param {Event} e
 */
async function handed($, e, next) {
  const body = JSON.stringify(e) + '\n'
  await measure($, body.length)
  if (child.socket && e.journal === undefined) {
    const figures = isSilent(e, GROWTH) ? undefined : await measured($, e)
    if (isSilent(e, 1)) {
      const passed = next(marked(e, ''))
      queue.recorded = queue.recorded.then(() => recordedBehind($, e, body, figures, passed))
      return passed
    }
    await caughtUp()
    const answer = await recorded($, e, body, figures, said => within(LIMIT, said))
    return next(marked(e, answer))
  }
  await caughtUp()
  if (child.started) void keep($)
  // In `claude -p` the first request goes out now, and what starts beside it delays it.
  else $.clock.after(AFTER, () => begin($))
  return next(e)
}

/**
 * Tell guard.sh how to read: bytes one by one where a second short event came in a row.
 * @param {Engine} $
 * @param {number} size
 */
async function measure($, size) {
  length.row = size > LONG ? 0 : length.row + 1
  const isShort = length.row > 1
  if (!child.folder || isShort === length.isShort) return
  length.isShort = isShort
  try {
    await $.fs.write(`${child.folder}.short`, isShort ? '1' : '')
  } catch {
    length.isShort = undefined
  }
}

/**
 * Return whether an event cannot have an answer, by what the child said of the last tool call.
 * @param {Event} e
 * @param {number} growth the tokens since they were asked for, as a factor
 */
function isSilent(e, growth) {
  if (e.agent_id) return true
  const { session, from, to, tokens } = silence
  const isTool = e.hook_event_name.startsWith('PostToolUse')
  const isWithin = tokens > 0 && tokens >= from && tokens * growth < to
  return isTool && e.session_id === session && isWithin
}

/** Wait until the events that went on are recorded, so that the log has them in their order. */
async function caughtUp() {
  queue.waiting++
  queue.hurry()
  await queue.recorded
  queue.waiting--
}

/**
 * Record an event that went on; where the child does not, run the hook. It never rejects.
 * @param {Engine} $
 * @param {Event} e
 * @param {string} body
 * @param {string | undefined} asked figures, where they are known
 * @param {Promise<unknown>} passed settled when the command hooks have ended
 */
async function recordedBehind($, e, body, asked, passed) {
  await within(LIMIT, passed).catch(() => {}) // beside the hooks, it would only delay them
  const figures = asked ?? (await measured($, e))
  const hurried = new Promise(resolve => (queue.hurry = () => resolve(undefined)))
  if (queue.waiting) queue.hurry()
  const patiently = said =>
    within(PATIENCE, Promise.race([said, hurried.then(() => within(LIMIT, said))]))
  if ((await recorded($, e, body, figures, patiently, 'no')) !== undefined) return
  try {
    const argv = [child.python, '-I', '-S', `${$.plugin.root}/hooks/run.py`, 'record']
    const env = await $.process.hookEnv()
    await $.process.run(argv, { stdin: body, env, timeoutMs: HOOK })
  } catch {
    // The reconciliation adds it.
  }
}

/**
 * Return the number of the event's answer, '' for none; undefined where it is not recorded.
 * @param {Engine} $
 * @param {Event} e
 * @param {string} body
 * @param {string} figures
 * @param {(said: Promise<Reply>) => Promise<Reply | undefined>} limited how long to wait for a reply
 * @param {string} answers 'no' where nobody waits for an answer
 * @returns {Promise<string | undefined>}
 */
async function recorded($, e, body, figures, limited, answers = '') {
  const socketPath = child.socket
  if (!socketPath) return undefined // it ended while the event waited
  try {
    const toasts = screen.isThere ? '1' : ''
    const headers = { measured: figures, toasts, answers, sent: String(Date.now()) }
    const number = `${calls.first}${++calls.count}`
    const url = 'http://journal/'
    const said = $.http.fetch(url + number, { method: 'POST', headers, body, socketPath })
    const soon = await limited(said)
    if (soon) return answered($, e, soon)
    const init = { method: 'POST', socketPath }
    const cancelled = await within(HANGS, $.http.fetch(`${url}cancel/${number}`, init))
    if (!cancelled) {
      child.socket = '' // it hangs: never wait for it again
      child.end()
    }
    if (cancelled?.text !== '0') return undefined
    return answered($, e, await within(ANSWER, said))
  } catch {
    return undefined
  }
}

/**
 * Show the message that came with a reply; return the number of the event's answer, as `recorded`.
 * @param {Engine} $
 * @param {Event} e
 * @param {Reply | undefined} reply
 * @returns {string | undefined}
 */
function answered($, e, reply) {
  if (reply?.status !== 200) return undefined
  if (e.hook_event_name.startsWith('PostToolUse') && !e.agent_id) {
    const [from, to = 0] = (reply.headers.silence ?? '').split(' ').map(Number)
    Object.assign(silence, { session: e.session_id, from, to })
  }
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
 * @param {Event} e
 * @returns {Promise<string>}
 */
async function measured($, e) {
  if (e.agent_id) return ''
  try {
    const { tokens, window } = (await $.session.usage()).context
    silence.tokens = tokens ?? 0
    return [tokens ?? 0, window ?? 0, compaction.threshold].map(Math.round).join(' ')
  } catch {
    silence.to = 0
    return ''
  }
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
  await caughtUp()
  const given = INPUTS.filter(key => e[key] !== undefined).map(key => [key, e[key]])
  const found = await ask($, 'tool', { name, input: Object.fromEntries(given) })
  if (!found) return { deny: `The journal does not answer. The command line does: journal --help` }
  return found.failed ? { deny: found.text } : { result: found.text }
}

/**
 * Return the event with the mark that guard.sh reads, or the event itself.
 * @param {Event} e
 * @param {string | undefined} answer
 * @returns {Event}
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
