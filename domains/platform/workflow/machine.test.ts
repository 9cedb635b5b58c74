import './refusals.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refused } from '#kit/server/base/refused.ts'
import type { ExpressionValue } from './expression.ts'
import { type ProcessGraph, canReachNode } from './graph.ts'
import { isProcessEnded, computeNextProcessState, type FlowEvent, type ProcessState } from './machine.ts'
import { readBpmn } from './read-bpmn.ts'
import { BLOCK_MAX_MS, eventLoopBlockOf } from '#tests/support/event-loop-block.ts'
import { flowXml, leaveXml, line } from './test-flows.ts'

const HOUR = 3_600_000
const who = (id: string, ...groups: string[]) => ({ id, groups })

/** A running process with functions for what people do. */
function started(graph: ProcessGraph, variables: Record<string, ExpressionValue> = {}) {
  let { state, deeds } = computeNextProcessState(graph, undefined, { do: 'start', who: who('9'), variables }, 0)
  const go = (event: FlowEvent, now = 0) => {
    const next = computeNextProcessState(graph, state, event, now)
    state = next.state
    deeds = [...deeds, ...next.deeds]
  }
  const open = (node: string) => state.tasks.filter((one) => one.node === node)
  return {
    go,
    open,
    state: () => state,
    deeds: () => deeds,
    sign: (node: string, isPassed = true, more: Record<string, ExpressionValue> = {}) => {
      const task = open(node)[0]!
      if (!task.assignee) go({ do: 'claim', task: task.id, who: who(`c${task.id}`, ...task.groups) })
      const by = open(node)[0]!.assignee
      go({ do: 'complete', task: task.id, who: who(by), isPassed, variables: more })
    },
    at: () => state.tasks.map((one) => one.node).sort(),
  }
}
const code = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof Refused ? error.code : String(error)
  }
  return 'done'
}
const parts = (inner: string) => readBpmn(flowXml(`<startEvent id="s"/><endEvent id="e"/>${inner}`))
const task = (id: string, more = 'flowable:assignee="1"', inner = '') =>
  `<userTask id="${id}" ${more}>${inner}</userTask>`

describe('a process', () => {
  test('goes the way its conditions say, back to who asked, and to its end', () => {
    const leave = started(readBpmn(leaveXml), { taskUser: '5', days: 4 })
    expect(leave.at()).toEqual(['hr'])
    leave.sign('hr', false)
    expect(leave.open('again')[0]).toMatchObject({ assignee: '9' })
    leave.sign('again')
    leave.sign('hr')
    expect(leave.open('boss')[0]).toMatchObject({ assignee: '', groups: ['boss', 'administrator'] })
    leave.sign('boss')
    expect(isProcessEnded(leave.state())).toBe(true)
    expect(leave.deeds().some((entry) => entry.did === 'enter' && entry.node === 'manager')).toBe(false)
  })

  test('is not changed by who may not, comes too late, or is the second of two', () => {
    const leave = started(readBpmn(leaveXml), { taskUser: '5', days: 4 })
    const was = structuredClone(leave.state())
    const { id } = leave.open('hr')[0]!
    const sign = (by: string) => ({ do: 'complete', task: id, who: who(by), isPassed: true, variables: {} }) as const
    expect(code(() => leave.go(sign('6')))).toBe('flow_not_yours')
    expect(leave.state()).toEqual(was)
    leave.go(sign('5'))
    expect(code(() => leave.go(sign('5')))).toBe('flow_task_gone')
    const boss = leave.open('boss')[0]!.id
    expect(code(() => leave.go({ do: 'claim', task: boss, who: who('6', 'clerk') }))).toBe('flow_not_yours')
    leave.go({ do: 'claim', task: boss, who: who('6', 'boss') })
    expect(code(() => leave.go({ do: 'claim', task: boss, who: who('7', 'boss') }))).toBe('flow_task_claimed')
  })

  test('is refused a step that would need a name nobody set, and stands where it stood', () => {
    const leave = started(readBpmn(leaveXml), { taskUser: '5' })
    const was = structuredClone(leave.state())
    expect(code(() => leave.sign('hr'))).toBe('flow_never_set')
    expect(leave.state()).toEqual(was)
    expect(code(() => started(readBpmn(leaveXml), { taskUser: '' }))).toBe('flow_for_nobody')
    expect(code(() => started(readBpmn(leaveXml), { ['__proto__x']: 1, 'a.b': 1 }))).toBe('flow_bad_variable')
  })

  test('waits at a parallel join for all of its ways', () => {
    const both = started(
      parts(
        `<parallelGateway id="f"/>${task('a')}${task('b')}<parallelGateway id="j"/>${task('c')}` +
          [
            line('s', 'f'),
            line('f', 'a'),
            line('f', 'b'),
            line('a', 'j'),
            line('b', 'j'),
            line('j', 'c'),
            line('c', 'e'),
          ].join(''),
      ),
    )
    both.sign('b')
    expect(both.at()).toEqual(['a'])
    both.sign('a')
    expect(both.at()).toEqual(['c'])
  })

  test('waits at an inclusive join for the ways that were taken, and for no other', () => {
    const graph = parts(
      `<inclusiveGateway id="f" default="f-c"/>${task('a')}${task('b')}${task('c')}` +
        `<inclusiveGateway id="j"/>${task('d')}` +
        [line('s', 'f'), line('f', 'a', '${n > 1}'), line('f', 'b', '${n > 2}'), line('f', 'c')].join('') +
        [line('a', 'j'), line('b', 'j'), line('c', 'j'), line('j', 'd'), line('d', 'e')].join(''),
    )
    expect(started(graph, { n: 1 }).at()).toEqual(['c'])
    const one = started(graph, { n: 2 })
    one.sign('a')
    expect(one.at()).toEqual(['d'])
    const two = started(graph, { n: 3 })
    two.sign('a')
    expect(two.at()).toEqual(['b'])
    two.sign('b')
    expect(two.at()).toEqual(['d'])
  })

  const counted = (isSequential: boolean, enough = '') =>
    parts(
      task(
        'a',
        'flowable:assignee="${one}"',
        `<multiInstanceLoopCharacteristics isSequential="${isSequential}" flowable:collection="people" ` +
          `flowable:elementVariable="one">${enough && `<completionCondition>${enough}</completionCondition>`}` +
          '</multiInstanceLoopCharacteristics>',
      ) +
        line('s', 'a') +
        line('a', 'e'),
    )

  test('asks several people at once until enough have signed; the others need not any more', () => {
    const graph = counted(false, '${nrOfCompletedInstances / nrOfInstances >= 0.6}')
    const three = started(graph, { people: ['1', '2', '3'] })
    expect(three.open('a').map((one) => one.assignee)).toEqual(['1', '2', '3'])
    three.sign('a')
    expect(isProcessEnded(three.state())).toBe(false)
    three.sign('a')
    expect([isProcessEnded(three.state()), three.at()]).toEqual([true, []])
    expect(code(() => started(graph, { people: [] }))).toBe('flow_for_nobody')
  })

  test('asks several people in order, each after the one before', () => {
    const three = started(counted(true), { people: '1,2,3' })
    for (const id of ['1', '2', '3']) {
      expect(three.open('a').map((one) => one.assignee)).toEqual([id])
      three.sign('a')
    }
    expect(isProcessEnded(three.state())).toBe(true)
  })

  const timer = (duration: string) =>
    `<timerEventDefinition><timeDuration>${duration}</timeDuration></timerEventDefinition>`

  test.each([true, false])(
    'is moved by the clock, once, and a task that is done is not (interrupts: %s)',
    (interrupts) => {
      const graph = parts(
        `${task('a')}<boundaryEvent id="b" attachedToRef="a" cancelActivity="${interrupts}">` +
          `${timer('PT1H')}</boundaryEvent>` +
          `${task('c')}${line('s', 'a')}${line('a', 'e')}${line('b', 'c')}${line('c', 'e')}`,
      )
      const late = started(graph)
      const { id, at } = late.state().timers[0]!
      expect(at).toBe(HOUR)
      late.go({ do: 'timer', timer: id }, HOUR - 1)
      expect(late.at()).toEqual(['a'])
      late.go({ do: 'timer', timer: id }, HOUR)
      late.go({ do: 'timer', timer: id }, HOUR)
      expect(late.at()).toEqual(interrupts ? ['c'] : ['a', 'c'])
      const inTime = started(graph)
      inTime.sign('a')
      expect([isProcessEnded(inTime.state()), inTime.state().timers]).toEqual([true, []])
    },
  )

  test('that would run in circles or stand still for good is refused', () => {
    const circle = parts(
      `<exclusiveGateway id="a"/><exclusiveGateway id="b"/>${line('s', 'a')}${line('a', 'b')}` +
        `${line('b', 'a', '${go}')}${line('b', 'e', '${!go}')}`,
    )
    expect(code(() => started(circle, { go: true }))).toBe('flow_endless')
    expect(isProcessEnded(started(circle, { go: false }).state())).toBe(true)
    const half = parts(
      `<exclusiveGateway id="f"/><parallelGateway id="j"/>${line('s', 'f')}${line('f', 'j', '${go}')}` +
        `<sequenceFlow id="second" sourceRef="f" targetRef="j"><conditionExpression>\${!go}</conditionExpression>` +
        `</sequenceFlow>${line('j', 'e')}`,
    )
    expect(code(() => started(half, { go: true }))).toBe('flow_stuck')
  })
})

/** Random sound processes: each block has one entry and one exit. */
type Block = { kind: 'task' | 'timer' } | { kind: 'row' | 'exclusive' | 'parallel' | 'inclusive'; blocks: Block[] }
const { block } = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Block>({ kind: 'task' }, { kind: 'timer' }),
    fc.record({
      kind: fc.constantFrom('row' as const, 'exclusive' as const, 'parallel' as const, 'inclusive' as const),
      blocks: fc.array(tie('block'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

function drawn(root: Block): ProcessGraph {
  let n = 0
  const out: string[] = []
  const draw = (one: Block, from: string, condition?: string): string => {
    const id = `n${++n}`
    if (!('blocks' in one)) {
      out.push(
        one.kind === 'task'
          ? task(id)
          : `<intermediateCatchEvent id="${id}"><timerEventDefinition><timeDuration>PT1H</timeDuration>` +
              '</timerEventDefinition></intermediateCatchEvent>',
        line(from, id, condition),
      )
      return id
    }
    const { kind, blocks } = one
    const [gate, rest] = kind === 'row' ? ['exclusive', blocks] : [kind, blocks]
    out.push(`<${gate}Gateway id="${id}"/>`, line(from, id, condition))
    if (kind === 'row') return rest.reduce((last, each) => draw(each, last), id)
    out.push(`<${gate}Gateway id="${id}j"/>`)
    const conditions = kind === 'parallel' ? [] : rest.map((_, at) => (at ? `\${n % ${at + 1} == 0}` : '${n >= 0}'))
    for (const [at, each] of rest.entries()) out.push(line(draw(each, id, conditions[at]), `${id}j`))
    return `${id}j`
  }
  return parts(`${out.join('')}${line(draw(root, 's'), 'e')}${out.splice(0).join('')}`)
}

/**
 * Makes every possible step in an order chosen by the numbers, and checks the state after each. Returns the number of
 * steps.
 */
function runToEnd(graph: ProcessGraph, choices: readonly number[]): number {
  let now = 0
  let { state } = computeNextProcessState(
    graph,
    undefined,
    { do: 'start', who: who('9'), variables: { n: choices[0] ?? 0 } },
    now,
  )
  let steps = 0
  while (!isProcessEnded(state)) {
    const waits: FlowEvent[] = [
      ...state.tasks.map(
        (one) => ({ do: 'complete', task: one.id, who: who('1'), isPassed: true, variables: {} }) as const,
      ),
      ...state.timers.map((one) => ({ do: 'timer', timer: one.id }) as const),
    ]
    expect(waits.length).toBeGreaterThan(0)
    now += HOUR
    const was: ProcessState = structuredClone(state)
    const next = computeNextProcessState(
      graph,
      state,
      waits[(choices[steps % choices.length] ?? 0) % waits.length]!,
      now,
    )
    expect(state).toEqual(was)
    state = next.state
    if (++steps > 500) throw new Error('never ends')
  }
  expect([state.tasks, state.timers]).toEqual([[], []])
  return steps
}

describe('random processes', () => {
  test('out of sound blocks always stand at a task or a timer, or end, and are refused no step', () => {
    fc.assert(
      fc.property(block, fc.array(fc.nat(20), { minLength: 1, maxLength: 30 }), (one, choices) => {
        expect(runToEnd(drawn(one), choices)).toBeGreaterThan(0)
      }),
      { numRuns: 300 },
    )
  })

  test('of any shape end, stand at a task or timer, or are refused for a reason; none hangs', () => {
    const reasons = [
      'flow_faults',
      'flow_endless',
      'flow_stuck',
      'flow_no_way',
      'flow_inclusive_cycle',
      'flow_from_nowhere',
      'flow_double',
    ]
    const shape = fc.record({
      nodes: fc.array(fc.constantFrom('user', 'exclusive', 'parallel', 'inclusive'), { minLength: 2, maxLength: 8 }),
      lines: fc.array(fc.tuple(fc.nat(7), fc.nat(8)), { minLength: 2, maxLength: 16 }),
      n: fc.nat(5),
    })
    let ran = 0
    fc.assert(
      fc.property(shape, ({ nodes, lines, n }) => {
        const inner = nodes.map((kind, at) => (kind === 'user' ? task(`n${at}`) : `<${kind}Gateway id="n${at}"/>`))
        const pairs = [...lines, ...nodes.map((_, at): [number, number] => [at, at + 1])]
          .map(([from, to]) => [from % nodes.length, Math.min(to, nodes.length)] as const)
          .filter(([from, to], at, all) => all.findIndex((one) => one[0] === from && one[1] === to) === at)
        const drawnLines = pairs.map(([from, to]) => {
          const isChoice = nodes[from] === 'exclusive' || nodes[from] === 'inclusive'
          return line(
            `n${from}`,
            to === nodes.length ? 'e' : `n${to}`,
            isChoice ? `\${(n + ${to}) % 2 == 0}` : undefined,
          )
        })
        const answer = code(() => {
          const graph = parts(inner.join('') + line('s', 'n0') + drawnLines.join(''))
          let { state } = computeNextProcessState(graph, undefined, { do: 'start', who: who('9'), variables: { n } }, 0)
          for (let at = 0; at < 30 && !isProcessEnded(state); at++) {
            const [first] = state.tasks
            expect(first).toBeDefined()
            state = computeNextProcessState(
              graph,
              state,
              { do: 'complete', task: first!.id, who: who('1'), isPassed: true, variables: {} },
              0,
            ).state
          }
          ran++
        })
        expect(['done', ...reasons]).toContain(answer)
      }),
      { numRuns: 500 },
    )
    expect(ran).toBeGreaterThan(50)
  })
})

describe('a process somebody drew to be as much work as it can', () => {
  const ids = (count: number, name: string) => Array.from({ length: count }, (_unused, at) => `${name}${at}`)
  /** Parallel flows through inclusive gateways, each of which leads to all later ones. */
  const meeting = (count: number) => {
    const all = ids(count, 'i')
    const lines = all.flatMap((from, at) => all.slice(at + 1).map((to) => line(from, to, '${true}')))
    return [
      '<parallelGateway id="p"/><userTask id="u" flowable:assignee="1"/>',
      ...all.map((id) => `<inclusiveGateway id="${id}"/>`),
      ...lines,
      ...all.map((id) => line('p', id)),
      line('s', 'p'),
      line(all.at(-1)!, 'u'),
      line('u', 'e'),
    ].join('')
  }

  test('is checked and started, or refused, without holding anybody up', async () => {
    for (const count of [40, 80, 300]) {
      const graph = code(() => parts(meeting(count)))
      expect(['done', 'flow_too_big']).toContain(graph)
    }
    const graph = parts(meeting(60))
    const start = () => {
      // A fresh copy, without cached reachability, as read from the database.
      const read = structuredClone(graph)
      return code(() => computeNextProcessState(read, undefined, { do: 'start', who: who('9'), variables: {} }, 0))
    }
    expect(await eventLoopBlockOf(async () => void start())).toBeLessThan(BLOCK_MAX_MS)
  })

  test('with lines between all elements says of any two at once whether one leads to the other', async () => {
    const all = ids(500, 'x')
    const graph: ProcessGraph = { key: 'k', name: '', start: 'x0', nodes: {}, lines: {} }
    for (const from of all) {
      graph.nodes[from] = { id: from, name: from, type: 'inclusive', ins: [], outs: [] }
      for (const to of all.slice(0, 250)) {
        graph.nodes[from].outs.push(`${from}-${to}`)
        graph.lines[`${from}-${to}`] = { id: '', name: '', from, to }
      }
    }
    const ask = async () => {
      const fresh = { ...graph }
      return all.map((id) => canReachNode(fresh, id, id)).filter(Boolean).length
    }
    expect(await ask()).toBe(250)
    expect(await eventLoopBlockOf(ask)).toBeLessThan(BLOCK_MAX_MS)
  })
})
