// The module under the client's own kit: `claude plugin test`. What it hands over, and that every
// way in which the child can fail leaves the event to the command hook.
import { expect, test } from 'claude-code/testing'

const SOCKET = '/tmp/journal-test/s1'
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {}, tool_use_id: 't' }

const HOOKS = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ command: 'python3' }] }] } })

/** Start the child in a session: what it prints, what its socket answers, what hooks below get. */
async function session(
  $, on, { prints = `${SOCKET}\n`, answers = {}, code = 0, screen = undefined },
) {
  const seen = { requests: [], spawned: [], events: [], toasts: [], compacted: [], written: [], ran: [],
    usage: { tokens: 3000, window: 200000 }, order: [] }
  on('session.start', () => ({ cwd: '/' }))
  on('classic.UserPromptSubmit', () => ({}))
  on('session.measure', ($, e) => ({ changed: e.changed }))
  on('clock.after', () => ({ value: undefined }))
  on('ui.panes', () => ({ value: [] }))
  on('ui.status', () => ({ value: undefined }))
  on('ui.toast', ($, e) => {
    seen.toasts.push(e.text)
    return { value: undefined }
  })
  on('tool.register', () => ({ value: undefined }))
  on('session.compact', ($, e) => {
    seen.compacted.push(e)
    return answers.compact ?? { messages: [{ role: 'user', text: 'summary', toolUses: [] }] }
  })
  on('fs.write', ($, e) => {
    seen.written.push(e)
    return { value: undefined }
  })
  on('fs.read', () => ({ value: HOOKS }))
  on('session.usage', () => ({ value: { context: seen.usage } }))
  on('process.hookEnv', () => ({ value: { CLAUDE_PID: '1', CLAUDE_PLUGIN_DATA: '/data' } }))
  on('process.run', ($, e) => {
    seen.ran.push(e)
    seen.order.push('ran')
    return { value: { exitCode: 0, stdout: '', stderr: '' } }
  })
  on('process.spawn', async function* ($, e) {
    seen.spawned.push(e)
    if (prints) yield { stream: 'stdout', text: prints }
    if (!code) await new Promise(() => {})
    return { value: { code, signal: null } }
  })
  on('http.fetch', async ($, e) => {
    const path = new URL(e.url).pathname
    if (path.startsWith('/screen/')) {
      seen.order.push('screen')
      return { value: { status: 200, ok: true, headers: {}, text: JSON.stringify(screen) } }
    }
    seen.requests.push(e)
    const answer = answers[path.includes('/cancel/') ? 'cancel' : 'call']
    if (answer === 'never') await new Promise(() => {})
    if (answer === 'late') {
      await new Promise(done => setTimeout(done, 300))
      seen.order.push('reply')
      return { value: { status: 200, ok: true, headers: {}, text: '17' } }
    }
    if (!answer) throw new Error('refused')
    const [status, text, silence = ''] = answer
    seen.order.push('reply')
    return { value: { status, ok: status < 300, headers: { silence }, text } }
  })
  for (const name of ['PostToolUse', 'SubagentStop', 'Stop', 'StopFailure', 'PreCompact', 'PostCompact', 'SessionStart',
    'SessionEnd'])
    on(`classic.${name}`, ($, e) => {
      seen.events.push(e)
      seen.order.push(name)
      return {}
    })
  await $.session.start({ cwd: '/', surface: null, isInteractive: screen !== undefined })
  seen.atStart = seen.spawned.length
  await $.classic.UserPromptSubmit({ prompt: 'go' })
  await new Promise(done => setTimeout(done, 300))
  seen.requests.length = 0
  return seen
}

test('a recorded event is marked, with everything else as it was', async ($, on) => {
  const seen = await session($, on, { answers: { call: [200, ''] } })
  await $.classic.PostToolUse(CALL)
  expect(Object.keys(seen.events[0])[0]).toBe('journal')
  expect(seen.events[0].journal).toBe('')
  expect(seen.events[0].tool_use_id).toBe('t')
  const { url, init } = seen.requests[0]
  expect(init.headers.measured).toBe('3000 200000 0')
  expect(url.startsWith('http://journal/')).toBe(true)
  expect(init.socketPath).toBe(SOCKET)
  expect(JSON.parse(init.body).tool_use_id).toBe('t')
  expect('journal' in JSON.parse(init.body)).toBe(false)
})

test('the number of an answer is the mark', async ($, on) => {
  const seen = await session($, on, { answers: { call: [200, '17'] } })
  await $.classic.PostToolUse(CALL)
  expect(seen.events[0].journal).toBe('17')
})

for (const [name, answers] of Object.entries({
  'refuses': {},
  'says no': { call: [503, ''] },
  'is slow': { call: 'never', cancel: [200, '1'] },
  'hangs': { call: 'never', cancel: 'never' },
  'dies while it is slow': { call: 'never' },
})) {
  test(`a child that ${name} leaves the event to the command hook`, async ($, on) => {
    const seen = await session($, on, { answers })
    await $.classic.PostToolUse(CALL)
    expect('journal' in seen.events[0]).toBe(false)
    expect(seen.events[0].tool_use_id).toBe('t')
  })
}

test('a slow child that has recorded the event is waited for', async ($, on) => {
  const seen = await session($, on, { answers: { call: 'late', cancel: [200, '0'] } })
  await $.classic.PostToolUse(CALL)
  expect(seen.events[0].journal).toBe('17')
})

test('a child that hangs is asked once', async ($, on) => {
  const seen = await session($, on, { answers: { call: 'never', cancel: 'never' } })
  await $.classic.PostToolUse(CALL)
  await $.classic.PostToolUse(CALL)
  expect(seen.requests.length).toBe(2)
  expect(seen.events.length).toBe(2)
})

// What the child says of a tool call after which none is answered below 100,000 tokens.
const SILENT = [200, '', '0 100000']

/** A session whose child has said so; `then` is what it answers afterwards. */
async function silent($, on, then) {
  const answers = { call: SILENT }
  const seen = await session($, on, { answers })
  await $.classic.PostToolUse(CALL)
  Object.assign(answers, then)
  seen.requests.length = seen.events.length = seen.order.length = 0
  return seen
}

const settled = () => new Promise(done => setTimeout(done, 300)) // longer than BEHIND

test('an event that has no answer goes on at once, and is handed over behind it', async ($, on) => {
  const seen = await silent($, on, { call: 'late', cancel: [200, '0'] })
  await $.classic.PostToolUse(CALL)
  await $.classic.Stop({ stop_hook_active: false })
  expect([...new Set(seen.order)]).toEqual(['PostToolUse', 'reply', 'Stop'])
  expect(seen.events[0].journal).toBe('')
  expect(seen.requests[0].init.headers.answers).toBe('no')
  expect(JSON.parse(seen.requests[0].init.body).tool_use_id).toBe('t')
})

test('an event of a subagent goes on at once', async ($, on) => {
  const seen = await session($, on, { answers: { call: 'late', cancel: [200, '0'] } })
  await $.classic.SubagentStop({ agent_id: 'a1', agent_type: 'x', stop_hook_active: false })
  expect(seen.events[0].journal).toBe('')
})

for (const [name, [then, tokens]] of Object.entries({
  'an answer is due': [{ call: [200, ''] }, 3000],
  'the range has ended': [{ call: SILENT }, 100000],
  'the tokens are unknown': [{ call: SILENT }, undefined],
})) {
  test(`where ${name}, the event waits`, async ($, on) => {
    const seen = await silent($, on, then)
    seen.usage.tokens = tokens
    await $.classic.PostToolUse(CALL)
    await settled()
    await $.classic.PostToolUse(CALL)
    expect(seen.requests.at(-1).init.headers.answers).toBe('')
  })
}

test('the first call past the range waits for its answer', async ($, on) => {
  const seen = await silent($, on, { call: [200, ''] })
  seen.usage.tokens = 150000
  await $.classic.PostToolUse(CALL)
  expect(seen.requests[0].init.headers.answers).toBe('')
  expect(seen.requests[0].init.headers.measured).toBe('150000 200000 0')
})

test('with another window the threshold is the formula\'s until Claude Code was asked', async ($, on) => {
  const seen = await silent($, on, { call: SILENT })
  const asked = []
  for (const [window, autoCompactThreshold] of [[200000, 167000], [1000000, 967000]]) {
    const breakdown = { isAutoCompactEnabled: true, autoCompactThreshold }
    Object.assign(seen.usage, { window, breakdown })
    for (const measures of [false, true]) {
      if (measures) await $.session.measure({ context: seen.usage, changed: ['context'] })
      await settled()
      await $.classic.PostToolUse(CALL)
      await settled()
      asked.push(seen.requests.at(-1).init.headers.measured)
    }
  }
  expect(asked).toEqual(
    ['3000 200000 0', '3000 200000 167000', '3000 1000000 0', '3000 1000000 967000'])
})

for (const [name, then] of Object.entries({
  'refuses': { call: undefined },
  'says no': { call: [503, ''] },
  'is slow': { call: 'never', cancel: [200, '1'] },
})) {
  test(`the module runs the hook of an event that went on, if the child ${name}`, async ($, on) => {
    const seen = await silent($, on, then)
    await $.classic.PostToolUse(CALL)
    expect(seen.events[0].journal).toBe('')
    await $.classic.Stop({ stop_hook_active: false })
    const [{ argv, init }] = seen.ran
    expect(argv.slice(0, 3)).toEqual(['python3', '-I', '-S'])
    expect(argv[3].endsWith('/hooks/run.py')).toBe(true)
    expect(argv[4]).toBe('record')
    expect(JSON.parse(init.stdin).tool_use_id).toBe('t')
    expect('journal' in JSON.parse(init.stdin)).toBe(false)
  })
}

for (const name of ['Stop', 'PreCompact', 'PostCompact', 'SessionStart', 'SessionEnd']) {
  test(`${name} comes after the events that went on`, async ($, on) => {
    const seen = await silent($, on, { call: 'never', cancel: [200, '1'] })
    await $.classic.PostToolUse(CALL)
    await $.classic[name]({ stop_hook_active: false, trigger: 'auto', reason: 'other', source: 'compact' })
    expect(seen.order.filter(one => one !== 'reply')).toEqual(['PostToolUse', 'ran', name])
  })
}

test('an event that went on is handed over when the next request is out', async ($, on) => {
  const seen = await silent($, on, { call: [200, ''] })
  setTimeout(() => seen.order.push('request'), 100)
  await $.classic.PostToolUse(CALL)
  while (seen.order.length < 3) await settled()
  expect(seen.order).toEqual(['PostToolUse', 'request', 'reply'])
})

test('events that went on are handed over one after the other', async ($, on) => {
  const seen = await silent($, on, { call: 'late', cancel: [200, '0'] })
  await $.classic.PostToolUse(CALL)
  await $.classic.PostToolUse({ ...CALL, tool_use_id: 'u' })
  await settled()
  expect(seen.requests.length).toBe(1)
  await new Promise(done => setTimeout(done, 500))
  expect(seen.requests.map(e => JSON.parse(e.init.body).tool_use_id)).toEqual(['t', 'u'])
})

test('after a compaction an event waits again', async ($, on) => {
  const seen = await silent($, on, {})
  await $.classic.PreCompact({ trigger: 'auto' })
  await $.classic.PostToolUse(CALL)
  expect(seen.requests[0].init.headers.answers).toBe('')
})

test('the guard is told of short and of long events before it reads them', async ($, on) => {
  const seen = await session($, on, { answers: { call: [200, ''] } })
  const long = { ...CALL, tool_response: { stdout: 'x'.repeat(5000) } }
  for (const e of [CALL, long, CALL, CALL, CALL, long]) await $.classic.PostToolUse(e)
  expect(seen.written.map(e => e.path)).toEqual(Array(4).fill('/data/warm/1.short'))
  expect(seen.written.map(e => e.text)).toEqual(['1', '', '1', ''])
})

test('before the child has said where it listens, nothing is sent', async ($, on) => {
  const seen = await session($, on, { prints: '', answers: { call: [200, ''] } })
  await $.classic.PostToolUse(CALL)
  expect(seen.requests).toEqual([])
  expect('journal' in seen.events[0]).toBe(false)
})

test('a child that is switched off is started once', async ($, on) => {
  const seen = await session($, on, { prints: '', code: 3 })
  await $.classic.PostToolUse(CALL)
  await $.classic.PostToolUse(CALL)
  expect(seen.spawned.length).toBe(1)
})

test('the child is the code beside the module, with the interpreter of the hooks', async ($, on) => {
  const seen = await session($, on, {})
  const { argv, cwd } = seen.spawned[0]
  expect(argv.slice(0, 3)).toEqual(['python3', '-I', '-S'])
  expect(argv[3]).toBe(`${cwd}/hooks/warm/child.py`)
})

test('without a terminal the child starts after the first request', async ($, on) => {
  const seen = await session($, on, {})
  expect(seen.atStart).toBe(0)
  expect(seen.spawned.length).toBe(1)
})

const SCREEN = { status: '', row: '', offer: '', instructions: '', pane: [] }

test('in a terminal the child starts at once, and once', async ($, on) => {
  const seen = await session($, on, { screen: SCREEN })
  expect(seen.spawned.length).toBe(1)
})

for (const name of ['Stop', 'StopFailure']) {
  test(`what the command hook of ${name} records is shown`, async ($, on) => {
    const seen = await session($, on, { screen: SCREEN })
    seen.order.length = 0
    await $.classic[name]({ stop_hook_active: false })
    for (let waits = 0; waits < 20 && seen.order.length < 2; waits++) await settled()
    expect(seen.order).toEqual([name, 'screen'])
  })
}

test('a message to the person is a toast, once, and its answer goes on', async ($, on) => {
  const seen = await session($, on, { screen: SCREEN, answers: { call: [200, '17\njournal: Almost\nfull'] } })
  await $.classic.PostToolUse(CALL)
  expect(seen.requests[0].init.headers.toasts).toBe('1')
  expect(seen.toasts).toEqual(['Almost\nfull'])
  expect(seen.events[0].journal).toBe('17')
})

test('a message can be read again in the pane', async ($, on) => {
  await session($, on, { screen: SCREEN, answers: { call: [200, '\nAlmost full'] } })
  const props = { title: 'Journal', bodyRows: 20, bodyColumns: 40, isFocused: false }
  const pane = { plugin: 'journal', surface: 'terminal', component: 'Pane', requestId: 'journal', props }
  const before = await $.ui.mount(pane)
  expect(await before.find({ text: 'Messages' })).toBe(undefined)
  await before.unmount()
  await $.classic.PostToolUse(CALL)
  expect(await (await $.ui.mount(pane)).find({ text: 'Almost full' })).toBeDefined()
})

test('without a terminal no message is asked for', async ($, on) => {
  const seen = await session($, on, { answers: { call: [200, '17'] } })
  await $.classic.PostToolUse(CALL)
  expect(seen.requests[0].init.headers.toasts).toBe('')
  expect(seen.toasts).toEqual([])
})

const BAND = {
  plugin: 'journal', surface: 'terminal', component: 'AbovePrompt', requestId: 'band',
  props: {
    hasSurvey: false, isCollapsed: false, isWorking: false, maxRows: 9, bodyColumns: 100,
    scroll: { top: 0, bodyRows: 9 },
  },
}
const OFFER = { ...SCREEN, offer: '/implement has ended', instructions: 'Keep the decisions' }

test('the offer compacts when it is pressed, with the journal\'s guidance', async ($, on) => {
  const seen = await session($, on, { screen: OFFER })
  const band = await $.ui.mount(BAND)
  expect(await band.find({ text: /implement has ended/ })).toBeDefined()
  expect(seen.compacted).toEqual([])
  await band.press({ key: 'compact' })
  expect(seen.compacted.map(e => e.instructions)).toEqual(['Keep the decisions'])
})

test('during a turn, and where no phase has ended, nothing is offered', async ($, on) => {
  await session($, on, { screen: OFFER })
  const working = await $.ui.mount({ ...BAND, props: { ...BAND.props, isWorking: true } })
  expect(await working.find({ key: 'compact' })).toBe(undefined)
})

test('a compaction that does not come is explained', async ($, on) => {
  const skipped = { screen: OFFER, answers: { compact: { skip: 'a hook said no' } } }
  const seen = await session($, on, skipped)
  const band = await $.ui.mount(BAND)
  await band.press({ key: 'compact' })
  expect(seen.toasts).toEqual(['Not compacted: a hook said no'])
})
