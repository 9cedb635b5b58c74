import { Alert, Input, InputNumber, Radio, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useRowOptions } from '#kit/web/inputs/use-options.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import type { ProcessForm } from './forms.ts'
import type { BpmnBusinessObject, BpmnEditor, BpmnDiagramElement } from './drawing.ts'
import { words } from './design-words.ts'
import { multiInstanceOf, setMultiInstance, type MultiInstanceMode } from './multi-instance.ts'

type Props = { drawing: BpmnEditor; forms: readonly ProcessForm[] }

/** Form of the properties of the selected diagram element. */
export function BpmnElementProperties({ drawing, forms }: Props) {
  const { element } = drawing
  if (!element) return null
  const Part = PARTS[element.businessObject.$type]
  return (
    <div className="flow-properties" key={element.id}>
      <Named drawing={drawing} element={element} />
      {Part && <Part drawing={drawing} forms={forms} element={element} />}
    </div>
  )
}

type PartProps = Props & { element: BpmnDiagramElement }

function Line({ label, help, children }: { label: LocalizedText; help?: LocalizedText; children: ReactNode }) {
  const t = useLocalize()
  return (
    <label className="flow-property">
      <span>{t(label)}</span>
      {children}
      {help && <small className="kit-quiet">{t(help)}</small>}
    </label>
  )
}

function Named({ drawing, element }: Omit<PartProps, 'forms'>) {
  const own = element.businessObject
  return (
    <>
      <Line label={words.name}>
        <Input value={own.name ?? ''} maxLength={100} onChange={(event) => drawing.set({ name: event.target.value })} />
      </Line>
      <Line label={words.id}>
        <Input
          key={own.id}
          defaultValue={own.id}
          maxLength={100}
          onBlur={(event) => {
            const id = event.target.value.trim()
            if (/^[A-Za-z_][\w.-]*$/.test(id) && id !== own.id) drawing.set({ id })
          }}
        />
      </Line>
    </>
  )
}

const attributeOf = (own: BpmnBusinessObject, name: string): string => String(own.get(name) ?? '')
/** Converts '' to undefined, which removes the attribute. */
const orNothing = (text: string) => text || undefined

function AttributeLine(props: PartProps & { name: string; label: LocalizedText; help?: LocalizedText }) {
  const { drawing, element, name, label, help } = props
  return (
    <Line label={label} help={help}>
      <Input
        value={attributeOf(element.businessObject, name)}
        maxLength={500}
        onChange={(event) => drawing.set({ [name]: orNothing(event.target.value) })}
      />
    </Line>
  )
}

function PeopleLine(props: PartProps & { name: string; label: LocalizedText; single?: boolean }) {
  const { drawing, element, name, label, single } = props
  const value = attributeOf(element.businessObject, name)
  // The person picker cannot show an expression.
  if (value.includes('{')) return <AttributeLine {...props} />
  return (
    <Line label={label}>
      <RowPicker
        to="user"
        multiple={!single}
        value={value}
        onChange={(next) => drawing.set({ [name]: orNothing(next) })}
      />
    </Line>
  )
}

function RolesLine(props: PartProps & { name: string; label: LocalizedText }) {
  const { drawing, element, name, label } = props
  const { data = [] } = useRowOptions('role', '', undefined, true)
  const value = attributeOf(element.businessObject, name)
  if (value.includes('{')) return <AttributeLine {...props} />
  return (
    <Line label={label}>
      <Select
        mode="tags"
        className="kit-fill"
        tokenSeparators={[',']}
        value={value ? value.split(',') : []}
        onChange={(next: string[]) => drawing.set({ [name]: orNothing(next.join(',')) })}
        options={data.flatMap(({ title, code }) => (code ? [{ value: code, label: `${title}（${code}）` }] : []))}
      />
    </Line>
  )
}

function FormLine({ drawing, element, forms }: PartProps) {
  const t = useLocalize()
  const value = attributeOf(element.businessObject, 'flowable:formKey')
  const known = forms.map(({ key, label }) => ({ value: key, label: t(label) }))
  const options = value && !known.some((one) => one.value === value) ? [...known, { value, label: value }] : known
  return (
    <Line label={words.form}>
      <Select
        allowClear
        className="kit-fill"
        value={value || null}
        placeholder={t(words.noForm)}
        onChange={(next: string | undefined) => drawing.set({ 'flowable:formKey': next })}
        options={options}
      />
    </Line>
  )
}

const STARTER = '${initiator}'
type AssigneeMode = 'starter' | 'one' | 'some' | 'text'
const assigneeModeOf = (own: BpmnBusinessObject): AssigneeMode => {
  const assignee = attributeOf(own, 'flowable:assignee')
  return !assignee ? 'some' : assignee === STARTER ? 'starter' : assignee.includes('{') ? 'text' : 'one'
}
const ASSIGNEE_BY_MODE: Record<AssigneeMode, string | undefined> = {
  starter: STARTER,
  one: undefined,
  some: undefined,
  text: '${}',
}

function TaskPart(props: PartProps) {
  const { drawing, element } = props
  const t = useLocalize()
  const own = element.businessObject
  const many = multiInstanceOf(own)
  return (
    <>
      <Line label={words.many} help={many.mode === 'none' ? undefined : words.manyHelp}>
        <Select
          value={many.mode}
          onChange={(mode: MultiInstanceMode) => setMultiInstance(drawing, { ...many, mode })}
          options={(['none', 'all', 'share', 'any', 'order'] as const).map((value) => ({
            value,
            label: t(words[`many_${value}`]),
          }))}
        />
      </Line>
      {many.mode === 'none' ? <AssigneeLines {...props} /> : <ManyLines {...props} />}
      <FormLine {...props} />
      <Line label={words.onRefuse} help={words.onRefuseHelp}>
        <Switch
          checked={attributeOf(own, 'store:onRefuse') === 'end'}
          onChange={(isOn) => drawing.set({ 'store:onRefuse': isOn ? 'end' : undefined })}
        />
      </Line>
      <DueLines {...props} />
      <PeopleLine {...props} name="store:copyTo" label={words.copyTo} />
    </>
  )
}

function AssigneeLines(props: PartProps) {
  const { drawing, element } = props
  const t = useLocalize()
  const mode = assigneeModeOf(element.businessObject)
  return (
    <>
      <Line label={words.whose}>
        <Radio.Group
          value={mode === 'one' ? 'some' : mode}
          onChange={(event) =>
            drawing.set({ 'flowable:assignee': ASSIGNEE_BY_MODE[event.target.value as AssigneeMode] })
          }
          options={(['some', 'starter', 'text'] as const).map((value) => ({
            value,
            label: t(words[`whose_${value}`]),
          }))}
        />
      </Line>
      {mode === 'text' && (
        <AttributeLine {...props} name="flowable:assignee" label={words.expression} help={words.expressionHelp} />
      )}
      {(mode === 'some' || mode === 'one') && (
        <>
          <PeopleLine {...props} name="flowable:assignee" label={words.assignee} single />
          <PeopleLine {...props} name="flowable:candidateUsers" label={words.users} />
          <RolesLine {...props} name="flowable:candidateGroups" label={words.groups} />
        </>
      )}
    </>
  )
}

function ManyLines({ drawing, element }: PartProps) {
  const many = multiInstanceOf(element.businessObject)
  const put = (more: Partial<typeof many>) => setMultiInstance(drawing, { ...many, ...more })
  return (
    <>
      <Line label={words.signers} help={words.signersHelp}>
        <RowPicker to="user" multiple value={many.people} onChange={(people) => put({ people, variable: '' })} />
      </Line>
      <Line label={words.signersBy}>
        <Input
          value={many.variable}
          maxLength={100}
          onChange={(event) => put({ variable: event.target.value, people: '' })}
        />
      </Line>
      {many.mode === 'share' && (
        <Line label={words.share}>
          <InputNumber
            min={1}
            max={100}
            suffix="%"
            value={many.share}
            onChange={(share) => put({ share: share ?? 60 })}
          />
        </Line>
      )}
    </>
  )
}

function DueLines(props: PartProps) {
  const { drawing, element } = props
  const t = useLocalize()
  const own = element.businessObject
  const due = attributeOf(own, 'flowable:dueDate')
  return (
    <>
      <AttributeLine {...props} name="flowable:dueDate" label={words.due} help={words.dueHelp} />
      {due && (
        <Line label={words.onDue}>
          <Select
            value={attributeOf(own, 'store:onDue') || 'remind'}
            onChange={(next: string) => drawing.set({ 'store:onDue': next === 'remind' ? undefined : next })}
            options={(['remind', 'escalate', 'agree', 'refuse'] as const).map((value) => ({
              value,
              label: t(words[`onDue_${value}`]),
            }))}
          />
        </Line>
      )}
      {due && attributeOf(own, 'store:onDue') === 'escalate' && (
        <>
          <PeopleLine {...props} name="store:escalateTo" label={words.escalateTo} />
          <RolesLine {...props} name="store:escalateGroups" label={words.escalateGroups} />
        </>
      )}
    </>
  )
}

/** Elements whose outgoing flows can have conditions; a parallel gateway takes all of them. */
const CHOOSES = /^bpmn:(?:(?:Exclusive|Inclusive)Gateway|UserTask|StartEvent|(?:Boundary|IntermediateCatch)Event)$/

function FlowPart({ drawing, element }: PartProps) {
  const t = useLocalize()
  const own = element.businessObject
  const from = own.get('sourceRef') as BpmnBusinessObject | undefined
  if (!from || !CHOOSES.test(from.$type)) return <Alert type="info" title={t(words.noCondition)} />
  const isDefault = from.get('default') === own
  const text = String((own.get('conditionExpression') as { body?: string } | undefined)?.body ?? '')
  const put = (body: string) =>
    drawing.set({ conditionExpression: body ? drawing.create('bpmn:FormalExpression', { body }) : undefined })
  if (isDefault) return <Alert type="info" title={t(words.isDefault)} />
  return (
    <>
      <Line label={words.condition} help={words.conditionHelp}>
        <Input.TextArea
          value={text}
          autoSize={{ minRows: 2 }}
          maxLength={1000}
          onChange={(event) => put(event.target.value)}
        />
      </Line>
      <div className="flow-presets">
        {(['${pass}', '${!pass}'] as const).map((one) => (
          <button key={one} type="button" className="kit-link" onClick={() => put(one)}>
            {t(one === '${pass}' ? words.ifAgreed : words.ifRefused)}
          </button>
        ))}
      </div>
    </>
  )
}

function TimerPart({ drawing, element }: PartProps) {
  const own = element.businessObject
  const [definition] = (own.get('eventDefinitions') ?? []) as BpmnBusinessObject[]
  if (!definition) return null
  const body = (name: string) => String((definition.get(name) as { body?: string } | undefined)?.body ?? '')
  const put = (name: 'timeDuration' | 'timeDate', text: string) =>
    drawing.setOf(definition, {
      timeDuration: undefined,
      timeDate: undefined,
      [name]: text ? drawing.create('bpmn:FormalExpression', { body: text }) : undefined,
    })
  return (
    <>
      <Line label={words.wait} help={words.dueHelp}>
        <Input value={body('timeDuration')} onChange={(event) => put('timeDuration', event.target.value)} />
      </Line>
      <Line label={words.until} help={words.untilHelp}>
        <Input value={body('timeDate')} onChange={(event) => put('timeDate', event.target.value)} />
      </Line>
    </>
  )
}

function StartPart(props: PartProps) {
  return (
    <>
      <FormLine {...props} />
      <AttributeLine {...props} name="flowable:initiator" label={words.initiator} help={words.initiatorHelp} />
    </>
  )
}

const PARTS: Record<string, (props: PartProps) => ReactNode> = {
  'bpmn:UserTask': TaskPart,
  'bpmn:SequenceFlow': FlowPart,
  'bpmn:IntermediateCatchEvent': TimerPart,
  'bpmn:BoundaryEvent': TimerPart,
  'bpmn:StartEvent': StartPart,
}
