// The journal inside Claude Code: hands the frequent events to a warm Python child, so that no
// process has to start for them. The command hooks in hooks.json stay: where this module has
// recorded an event it marks the event's input, and the command hook (guard.sh) ends at once; where
// it has not, for whatever reason, the command hook does the work.

/** @typedef {import('claude-code').EngineInterface} Engine */

const LIMIT = 50 // ms to wait for the child before its call is cancelled
const HANGS = 1_000 // ms to wait for the cancellation
const ANSWER = 9_000 // ms to wait for an event that can no longer be cancelled
const PAUSE = 5_000 // ms between two starts of the child
const MINUTE = 60_000
const OFF = 3 // the child's exit code for "switched off"

/** The child of this process: its socket ("" for none), whether it runs, when it started. */
const child = { socket: '', runs: false, started: 0, off: false, end: () => {} }

/** What numbers the calls: unlike those of a module loaded before this one. */
const calls = { first: Date.now(), count: 0 }

/** The compaction threshold as Claude Code says it, 0 unknown; when it was asked for. */
const compaction = { threshold: 0, asked: 0 }

/** @type {import('claude-code').Register} */
export const register = on => {
  on('session.start', async ($, e, next) => {
    const answer = await next(e)
    void keep($)
    return answer
  })
  on('session.measure', async ($, e, next) => {
    void askThreshold($)
    return next(e)
  })
  on('classic.UserPromptSubmit', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.PostToolUse', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.PostToolUseFailure', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.SubagentStop', async ($, e, next) => next(marked(e, await recorded($, e))))
  on('classic.Stop', async ($, e, next) => next(marked(e, await recorded($, e))))
}

/**
 * Start the child and read its output until it ends. The interpreter is the hooks' own.
 * @param {Engine} $
 */
async function keep($) {
  if (child.runs || child.off || Date.now() - child.started < PAUSE) return
  child.runs = true
  child.started = Date.now()
  try {
    const root = $.plugin.root
    const file = JSON.parse(await $.fs.read(`${root}/hooks/hooks.json`))
    const python = file.hooks.SessionStart[0].hooks[0].command
    const argv = [python, '-I', '-S', `${root}/hooks/warm/child.py`]
    const run = $.process.spawn({ argv, cwd: root, env: await $.process.hookEnv() })
    child.end = () => void run.return({ code: null, signal: null })
    let said = ''
    for await (const { stream, text } of run) {
      if (stream !== 'stdout' || child.socket) continue
      said += text
      if (said.endsWith('\n')) child.socket = said.trimEnd()
    }
    child.off = (await run.result).code === OFF
  } catch {
    // The command hooks work without it.
  }
  child.socket = ''
  child.runs = false
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
    void keep($)
    return undefined
  }
  try {
    const headers = { measured: await measured($, e), sent: String(Date.now()) }
    const body = JSON.stringify(e) + '\n'
    const number = `${calls.first}${++calls.count}`
    const url = 'http://journal/'
    const said = $.http.fetch(url + number, { method: 'POST', headers, body, socketPath })
    const soon = await within(LIMIT, said)
    if (soon) return soon.status === 200 ? soon.text : undefined
    const init = { method: 'POST', socketPath }
    const cancelled = await within(HANGS, $.http.fetch(`${url}cancel/${number}`, init))
    if (!cancelled) {
      child.socket = '' // it hangs: never wait for it again
      child.end()
    }
    if (cancelled?.text !== '0') return undefined
    const late = await within(ANSWER, said)
    return late?.status === 200 ? late.text : undefined
  } catch {
    return undefined
  }
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
