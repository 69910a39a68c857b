// The journal inside Claude Code: hands the frequent events to a warm Python child, so that no
// process has to start for them. The command hooks in hooks.json stay: where this module has
// recorded an event it marks the event's input, and the command hook (guard.sh) ends at once; where
// it has not, for whatever reason, the command hook does the work. An event that cannot have an
// answer is marked at once and recorded behind the call; if the child fails, the module runs the hook.
import { ANSWER, ask, child, keep, nextNumber, within } from './child.js'
import { drawPane, drawRow, look, openPane, screen, thenLook, toast } from './screen.js'

/** @typedef {import('claude-code').EngineInterface} Engine */
/** @typedef {import('claude-code').HttpResponse} Reply */
/** @typedef {{ hook_event_name: string, session_id: string, agent_id?: string,
 *   journal?: string }} Event */

const LIMIT = 50 // ms to wait for the child before its call is cancelled
const PATIENCE = 500 // ms to wait for the child while no event waits
const BEHIND = 200 // ms in which the command hooks end and the next request goes out
const HANGS = 1_000 // ms to wait for the cancellation
const LONG = 4_096 // characters: guard.sh reads so many in the time that a process takes to start
const HOOK = 5_000 // ms that the hook may take
const STARTS = 5_000 // ms that a tool waits for a child that is starting
const AFTER = 300 // ms from the first event to the start of the child where nobody types
const STALE = 5_000 // ms that what the screen shows may be old
const LAG = 2_000 // ms until a compaction stands in the transcript, from which the pane has it
const MINUTE = 60_000
const INPUTS = ['query', 'all', 'limit', 'source', 'kind', 'text'] // of all tools

/** How many short events came in a row, and whether guard.sh was told that they are. */
const length = { row: 0, isShort: undefined }

/** The events that went on before they were recorded: when all are, and how many events wait. */
const queue = { recorded: Promise.resolve(), waiting: 0, hurry: () => {} }

/**
 * Between how many tokens (`to` excluded) no tool call of the main conversation has an answer, and
 * how many there were when Claude Code was asked last.
 */
const silence = { session: '', from: 0, to: 0, tokens: 0 }

/** Whether the model's tools were registered. */
const tools = { areOffered: false }

/** The compaction threshold as Claude Code says it, 0 unknown; when, and for which window. */
const compaction = { threshold: 0, asked: 0, window: 0 }

/** @type {import('claude-code').Register} */
export const register = on => {
  // Narrowed, so that the first prompt of `claude -p` does not wait for this module here.
  on('session.start', { isInteractive: true }, async ($, e, next) => {
    const answer = await next(e)
    screen.isThere = true
    begin($)
    return answer
  })
  on('session.measure', async ($, e, next) => {
    void askThreshold($)
    void look($)
    return next(e)
  })
  on('classic.PreCompact', async ($, e, next) => {
    await caughtUp() // first: a reply that comes meanwhile sets the range
    silence.to = 0
    return next(e)
  })
  on('classic.PostCompact', ($, e, next) => thenLook($, inOrder(e, next), LAG))
  on('classic.SessionStart', { source: ['compact', 'clear', 'resume'] }, ($, e, next) =>
    thenLook($, inOrder(e, next), LAG),
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
    if (Date.now() - screen.asked > STALE) void queue.recorded.then(() => look($))
    return settled
  })
  on('classic.PostToolUseFailure', ($, e, next) => handed($, e, next))
  on('classic.SubagentStop', ($, e, next) => handed($, e, next))
  on('classic.Stop', ($, e, next) => thenLook($, handed($, e, next)))
  on('classic.StopFailure', ($, e, next) => thenLook($, inOrder(e, next)))
  on('classic.SessionEnd', ($, e, next) => inOrder(e, next))
}

/**
 * Start the child and register the tools, beside whatever goes on.
 * @param {Engine} $
 */
function begin($) {
  start($)
  void offerTools($) // each tool costs Claude Code a connection to itself: 0.1 s
}

/**
 * Start the child where none runs, and look once it is there.
 * @param {Engine} $
 */
function start($) {
  if (child.socket) return
  void keep($)
  void child.ready.then(() => look($))
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
    const figures = await measured($, e)
    if (isSilent(e)) {
      const idle = new Promise(resolve => setTimeout(resolve, BEHIND))
      queue.recorded = queue.recorded.then(() => recordedBehind($, e, body, figures, idle))
      return next(marked(e, ''))
    }
    await caughtUp()
    const answer = await recorded($, e, body, figures, said => within(LIMIT, said))
    return next(marked(e, answer))
  }
  await caughtUp()
  if (child.started) start($)
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
 */
function isSilent(e) {
  if (e.agent_id) return true
  const { session, from, to, tokens } = silence
  const isTool = e.hook_event_name.startsWith('PostToolUse')
  const isWithin = tokens > 0 && tokens >= from && tokens < to
  return isTool && e.session_id === session && isWithin
}

/** Wait until the events that went on are recorded, so that the log has them in their order. */
async function caughtUp() {
  queue.waiting++
  queue.hurry()
  await queue.recorded
  queue.waiting--
}

/** Pass an event on to its command hook once the events before it are recorded. */
async function inOrder(e, next) {
  await caughtUp()
  return next(e)
}

/**
 * Record an event that went on; where the child does not, run the hook. It never rejects.
 * @param {Engine} $
 * @param {Event} e
 * @param {string} body
 * @param {string} figures
 * @param {Promise<unknown>} idle settled when the command hooks have ended and the next request is out
 */
async function recordedBehind($, e, body, figures, idle) {
  const hurried = new Promise(resolve => (queue.hurry = () => resolve(undefined)))
  if (queue.waiting) queue.hurry()
  await Promise.race([idle, hurried]) // before that it would only delay them
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
    const number = nextNumber()
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
  if (message.length) toast($, message.join('\n'))
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
    if (window !== compaction.window) { // another model: the formula knows its threshold
      Object.assign(compaction, { threshold: 0, asked: 0, window })
      silence.to = 0
    }
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
    const { breakdown, window } = (await $.session.usage({ breakdown: 'summary' })).context
    const known = breakdown?.isAutoCompactEnabled && breakdown.autoCompactThreshold
    if (known !== compaction.threshold) silence.to = 0
    Object.assign(compaction, { threshold: known || 0, window })
  } catch {
    compaction.threshold = 0
  }
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
  start($)
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
