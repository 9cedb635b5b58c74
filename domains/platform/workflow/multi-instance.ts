import type { BpmnBusinessObject, BpmnEditor } from './drawing.ts'

export type MultiInstanceMode = 'none' | 'all' | 'share' | 'any' | 'order'
type ManySigners = {
  mode: MultiInstanceMode
  /** Comma list of user ids; '' when a variable holds them. */
  people: string
  variable: string
  /** Percentage of signers who must agree. */
  share: number
}

const ALL = '${nrOfPassed == nrOfInstances}'
const ANY = '${nrOfPassed >= 1}'
const SHARE = /^\$\{nrOfPassed \/ nrOfInstances >= (0?\.\d+|1)\}$/
const PEOPLE = /^\$\{["']([\d,]*)["']\}$/

/** Reads the multi-instance settings of a task for the form. */
export function multiInstanceOf(own: BpmnBusinessObject): ManySigners {
  const loop = own.get('loopCharacteristics') as BpmnBusinessObject | undefined
  if (!loop) return { mode: 'none', people: '', variable: '', share: 60 }
  const given = String(loop.get('flowable:collection') ?? '')
  const enough = String((loop.get('completionCondition') as { body?: string } | undefined)?.body ?? '')
  const share = SHARE.exec(enough)
  const people = PEOPLE.exec(given)
  const mode = loop.get('isSequential') ? 'order' : share ? 'share' : enough === ANY ? 'any' : 'all'
  return {
    mode,
    people: people?.[1] ?? '',
    variable: people ? '' : given,
    share: share ? Math.round(Number(share[1]) * 100) : 60,
  }
}

/** Writes the multi-instance settings of a task, readable by Flowable too; the variable `signer` holds each signer. */
export function setMultiInstance(drawing: BpmnEditor, { mode, people, variable, share }: ManySigners): void {
  if (mode === 'none') return drawing.set({ loopCharacteristics: undefined, 'flowable:assignee': undefined })
  const body = mode === 'share' ? `\${nrOfPassed / nrOfInstances >= ${share / 100}}` : mode === 'any' ? ANY : ALL
  const loop = drawing.create('bpmn:MultiInstanceLoopCharacteristics', {
    isSequential: mode === 'order',
    'flowable:collection': variable || `\${'${people}'}`,
    'flowable:elementVariable': 'signer',
    completionCondition: drawing.create('bpmn:FormalExpression', { body }),
  })
  drawing.set({
    loopCharacteristics: loop,
    'flowable:assignee': '${signer}',
    'flowable:candidateUsers': undefined,
    'flowable:candidateGroups': undefined,
  })
}
