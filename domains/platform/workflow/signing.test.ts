import './refusals.ts'
import { describe, expect, test } from 'vitest'
import { Refused } from '#kit/server/base/refused.ts'
import type { ProcessGraph } from './graph.ts'
import { isProcessEnded, computeNextProcessState, type Deputies, type FlowEvent, type ProcessState } from './machine.ts'
import { readBpmn } from './read-bpmn.ts'
import { flowXml, leaveXml, line } from './test-flows.ts'

const HOUR = 3_600_000
const who = (id: string, ...groups: string[]) => ({ id, groups })
const graphOf = (inner: string) => readBpmn(flowXml(`<startEvent id="s"/><endEvent id="e"/>${inner}`))
const user = (id: string, more = 'flowable:assignee="1"', inner = '') =>
  `<userTask id="${id}" ${more}>${inner}</userTask>`
const row = (...ids: string[]) =>
  ids
    .slice(1)
    .map((id, at) => line(ids[at]!, id))
    .join('')
const people = (enough: string, isSequential = false) =>
  user(
    'a',
    'flowable:assignee="${one}"',
    `<multiInstanceLoopCharacteristics isSequential="${isSequential}" flowable:collection="people" ` +
      `flowable:elementVariable="one">${enough && `<completionCondition>${enough}</completionCondition>`}` +
      '</multiInstanceLoopCharacteristics>',
  )
const one = graphOf(user('a') + user('b', 'flowable:assignee="2"') + row('s', 'a', 'b', 'e'))

type Doing = FlowEvent extends infer E ? (E extends { who: unknown } ? Omit<E, 'who' | 'task'> : never) : never

function running(graph: ProcessGraph, variables = {}, deputies: Deputies = {}) {
  let state: ProcessState = computeNextProcessState(
    graph,
    undefined,
    { do: 'start', who: who('9'), variables },
    0,
    deputies,
  ).state
  const send = (event: FlowEvent, now = 0) =>
    void (state = computeNextProcessState(graph, state, event, now, deputies).state)
  const taskOf = (id: string) => state.tasks.find((one) => one.assignee === id)
  return {
    send,
    /** Makes a user act on their task. */
    act: (id: string, doing: Doing) =>
      send({ ...doing, who: who(id), task: taskOf(id)?.id ?? 'none' } as unknown as FlowEvent),
    sign: (id: string, isPassed = true) =>
      send({ do: 'complete', who: who(id), task: taskOf(id)?.id ?? 'none', isPassed, variables: {} }),
    asked: () =>
      state.tasks.map((one) => `${one.node}:${one.assignee || [...one.users, ...one.groups].join('|')}`).sort(),
    state: () => state,
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

describe('a task', () => {
  test('is handed on for good, and who had it decides no more', () => {
    const flow = running(one)
    flow.act('1', { do: 'transfer', to: '5' })
    expect(flow.asked()).toEqual(['a:5'])
    expect(code(() => flow.sign('1'))).toBe('flow_task_gone')
    expect(code(() => flow.act('5', { do: 'transfer', to: '5' }))).toBe('flow_to_oneself')
    flow.sign('5')
    expect(flow.asked()).toEqual(['b:2'])
  })

  test('is lent for a word and comes back; the word decides nothing', () => {
    const flow = running(one)
    flow.act('1', { do: 'lend', to: '5' })
    expect(code(() => flow.act('5', { do: 'lend', to: '6' }))).toBe('flow_lent_already')
    flow.sign('5', false)
    expect(flow.asked()).toEqual(['a:1'])
    expect(flow.state().variables.pass).toBeUndefined()
    flow.sign('1')
    expect(flow.asked()).toEqual(['b:2'])
  })

  test('waits for those who are asked to sign before it', () => {
    const flow = running(one)
    flow.act('1', { do: 'addSign', to: ['5', '6'], place: 'before' })
    expect(code(() => flow.sign('1'))).toBe('flow_waits_for_added')
    flow.sign('5')
    flow.sign('6', false)
    expect(flow.asked()).toEqual(['a:1'])
    flow.sign('1')
    expect(flow.asked()).toEqual(['b:2'])
  })

  test('asks those added behind it once it is signed, and goes on when all of them have; one refusal refuses', () => {
    const flow = running(one)
    flow.act('1', { do: 'addSign', to: ['5', '6'], place: 'after' })
    expect(flow.asked()).toEqual(['a:1'])
    flow.sign('1')
    expect(flow.asked()).toEqual(['a:5', 'a:6'])
    flow.act('5', { do: 'addSign', to: ['7'], place: 'after' })
    flow.sign('5')
    flow.sign('6', false)
    expect(flow.asked()).toEqual(['a:7'])
    flow.sign('7')
    expect(flow.asked()).toEqual(['b:2'])
  })

  test('goes back to one that was done before and is done anew from there; never forward or to itself', () => {
    const flow = running(one)
    flow.sign('1')
    expect(code(() => flow.act('2', { do: 'return', node: 'b' }))).toBe('flow_no_return')
    flow.act('2', { do: 'return', node: 'a' })
    expect(flow.asked()).toEqual(['a:1'])
    expect(code(() => flow.act('1', { do: 'return', node: 'b' }))).toBe('flow_no_return')
    flow.sign('1')
    flow.sign('2')
    expect(isProcessEnded(flow.state())).toBe(true)
  })

  const forked = graphOf(
    user('z', 'flowable:assignee="9"') +
      '<parallelGateway id="f"/><parallelGateway id="j"/>' +
      user('a') +
      user('b', 'flowable:assignee="2"') +
      user('c', 'flowable:assignee="3"') +
      user('d', 'flowable:assignee="4"') +
      row('s', 'z', 'f', 'a', 'b', 'j', 'd', 'e') +
      row('f', 'c', 'j'),
  )

  test('goes back within its branch and leaves the others; back before the fork, all branches fall away', () => {
    const within = running(forked)
    within.sign('9')
    within.sign('1')
    within.sign('3')
    within.act('2', { do: 'return', node: 'a' })
    expect(within.asked()).toEqual(['a:1'])
    within.sign('1')
    within.sign('2')
    expect(within.asked()).toEqual(['d:4'])
    const before = running(forked)
    before.sign('9')
    before.sign('1')
    before.sign('3')
    before.act('2', { do: 'return', node: 'z' })
    expect(before.asked()).toEqual(['z:9'])
    for (const id of ['9', '1', '2', '3', '4']) before.sign(id)
    expect(isProcessEnded(before.state())).toBe(true)
  })

  test('of a loop goes back too', () => {
    const flow = running(readBpmn(leaveXml), { taskUser: '5', days: 1 })
    flow.sign('5', false)
    flow.act('9', { do: 'return', node: 'hr' })
    expect(flow.asked()).toEqual(['hr:5'])
  })

  test('that is refused where that ends the process ends it, and every way of it', () => {
    const graph = graphOf(
      '<parallelGateway id="f"/>' +
        user('a', 'flowable:assignee="1" store:onRefuse="end"') +
        user('b', 'flowable:assignee="2"') +
        row('s', 'f', 'a', 'e') +
        row('f', 'b', 'e'),
    )
    const flow = running(graph)
    flow.sign('1', false)
    expect([isProcessEnded(flow.state()), flow.state().tasks, flow.state().timers]).toEqual([true, [], []])
  })
})

describe('a countersign', () => {
  const start = (enough: string, isSequential = false) =>
    running(graphOf(people(enough, isSequential) + row('s', 'a', 'e')), { people: ['1', '2', '3'] })
  const pass = (flow: ReturnType<typeof start>) => [isProcessEnded(flow.state()), flow.state().variables.pass]

  test('of all is over with the first refusal, and refused', () => {
    const flow = start('${nrOfPassed == nrOfInstances}')
    flow.sign('1')
    flow.sign('2', false)
    expect(pass(flow)).toEqual([true, false])
  })

  test('of a share is over when enough agreed or can no longer agree', () => {
    const agreed = start('${nrOfPassed / nrOfInstances >= 0.6}')
    agreed.sign('1', false)
    agreed.sign('2')
    expect(isProcessEnded(agreed.state())).toBe(false)
    agreed.sign('3')
    expect(pass(agreed)).toEqual([true, true])
    const refused = start('${nrOfPassed / nrOfInstances >= 0.6}')
    refused.sign('1', false)
    refused.sign('2', false)
    expect(pass(refused)).toEqual([true, false])
  })

  test('of any one is decided by the first who agrees; without a condition by all', () => {
    const any = start('${nrOfPassed >= 1}')
    any.sign('3')
    expect(pass(any)).toEqual([true, true])
    const all = start('')
    for (const id of ['1', '2', '3']) all.sign(id, id !== '2')
    expect(pass(all)).toEqual([true, false])
  })

  test.each([false, true])(
    'takes another signer and drops one that was added, by who added them alone (%s)',
    (inOrder) => {
      const flow = start('', inOrder)
      flow.act('1', { do: 'addSigner', to: '7' })
      expect(code(() => flow.act('1', { do: 'addSigner', to: '2' }))).toBe('flow_signs_already')
      flow.sign('1')
      flow.sign('2')
      flow.sign('3')
      expect(flow.asked()).toEqual(['a:7'])
      const dropped = start('', false)
      dropped.act('1', { do: 'addSigner', to: '7' })
      const task = dropped.state().tasks.find((one) => one.assignee === '7')!.id
      expect(code(() => dropped.send({ do: 'dropSigner', who: who('2'), task }))).toBe('flow_not_added_by_you')
      for (const id of ['1', '2', '3']) dropped.sign(id)
      expect(isProcessEnded(dropped.state())).toBe(false)
      dropped.send({ do: 'dropSigner', who: who('1'), task })
      expect(pass(dropped)).toEqual([true, true])
    },
  )

  test('of a list alone takes others', () => {
    expect(code(() => running(one).act('1', { do: 'addSigner', to: '7' }))).toBe('flow_no_countersign')
  })
})

describe('a task that is due', () => {
  const due = (more: string) =>
    running(graphOf(user('a', `flowable:assignee="1" flowable:dueDate="PT1H" ${more}`) + row('s', 'a', 'e')))
  const ring = (flow: ReturnType<typeof due>, now: number) =>
    flow.send({ do: 'timer', timer: flow.state().timers[0]!.id }, now)

  test('is told again, given to others, or decided, as its model says, and not before its hour', () => {
    const process = due('')
    ring(process, HOUR - 1)
    expect(process.state().timers).toHaveLength(1)
    ring(process, HOUR)
    expect([process.asked(), process.state().timers]).toEqual([['a:1'], []])
    const up = due('store:onDue="escalate" store:escalateTo="5" store:escalateGroups="boss"')
    ring(up, HOUR)
    expect(up.asked()).toEqual(['a:5|boss'])
    const agreed = due('store:onDue="agree"')
    ring(agreed, HOUR)
    expect([isProcessEnded(agreed.state()), agreed.state().variables.pass]).toEqual([true, true])
    const refused = due('store:onDue="refuse"')
    ring(refused, HOUR)
    expect(refused.state().variables.pass).toBe(false)
  })

  test('and signed in time rings no more', () => {
    const flow = due('store:onDue="refuse"')
    const timer = flow.state().timers[0]!.id
    flow.sign('1')
    flow.send({ do: 'timer', timer }, HOUR)
    expect(flow.state().variables.pass).toBe(true)
  })
})

describe('who is away', () => {
  test('is stood in for, down the line, and not in a circle', () => {
    expect(running(one, {}, { 1: '5', 5: '6' }).asked()).toEqual(['a:6'])
    expect(running(one, {}, { 1: '5', 5: '1' }).asked()).toEqual(['a:1'])
    const flow = running(one, {}, { 1: '5' })
    expect(flow.state().tasks[0]).toMatchObject({ assignee: '5', owner: '1' })
    flow.sign('5')
    expect(flow.asked()).toEqual(['b:2'])
  })
})

test('what is stopped asks nobody any more', () => {
  const flow = running(one)
  flow.send({ do: 'stop' })
  expect([flow.state().tokens, flow.state().tasks, flow.state().timers]).toEqual([[], [], []])
})
