import { Alert, Descriptions, Tag } from 'antd'
import { Changes } from '#kit/web/detail/changes.tsx'
import { FieldCell } from '#kit/web/detail/field-cell.tsx'
import { useSay } from '#kit/web/language.tsx'
import { fieldsOf, type FlowForm } from './forms.ts'
import { ChangeState, ChangeTag } from './change-state.tsx'
import { CHANGE } from './flow-change.resource.ts'
import type { Change, ChangedRow, ProcessData } from './process-data.ts'
import { words } from './work-words.ts'

/** What a process is about: the change it decides on, or what was filled in. */
export function ProcessAbout({ data }: { data: ProcessData }) {
  const say = useSay()
  return (
    <>
      {data.change && <ChangeCard change={data.change} />}
      {data.forms.map(({ form, values }) => (
        <FormCard key={form.key} form={form} values={values} names={data.names} />
      ))}
      <div className="work-card">
        <Descriptions
          column={{ xs: 1, md: 2 }}
          items={[
            { key: 'starter', label: say(words.starter), children: data.starter },
            { key: 'at', label: say(words.startedAt), children: data.startTime },
            { key: 'kind', label: say(words.category), children: data.categoryName },
            ...(data.change
              ? [{ key: 'until', label: say(words.goodUntil), children: data.change.expireTime }]
              : [{ key: 'version', label: say(words.version), children: `v${data.version}` }]),
          ]}
        />
      </div>
    </>
  )
}

function ChangeCard({ change }: { change: Change }) {
  const say = useSay()
  const more = change.count - change.rows.length
  return (
    <div className="work-card">
      <h2>{say(isOpen(change) ? words.changeOf : words.changeWas)}</h2>
      <Became change={change} />
      {change.rows.map((row, at) => (
        <ChangedRowView key={at} row={row} />
      ))}
      {more > 0 && <p className="kit-quiet">{say(words.changeMore, { count: more })}</p>}
      {!!change.args?.length && (
        <>
          <h3>{say(words.changeArgs)}</h3>
          <Descriptions
            column={{ xs: 1, md: 2 }}
            items={change.args.map(({ label, text }) => ({ key: label, label, children: text }))}
          />
        </>
      )}
    </div>
  )
}

const isOpen = ({ state }: Change): boolean => state === CHANGE.waiting || state === CHANGE.agreed

/** What became of it, or will: that it is not done although it was agreed to is said above all, with what moved. */
function Became({ change }: { change: Change }) {
  const say = useSay()
  const { state, outcome, moved, isOtherwise } = change
  if (!moved.length && !outcome)
    return isOpen(change) ? <p className="kit-quiet">{say(words.changeNote)}</p> : <ChangeTag state={state} />
  const isFailed = state === CHANGE.failed
  return (
    <Alert
      type={isFailed ? 'error' : 'warning'}
      showIcon
      title={isOpen(change) ? say(words.wouldBeStale) : <ChangeState state={state} />}
      description={
        <>
          {!isOpen(change) && <p>{outcome}</p>}
          {moved.length > 0 && <p className="kit-quiet">{say(isOtherwise ? words.otherwise : words.thenAndNow)}</p>}
          {moved.map((row, at) => (
            <ChangedRowView key={at} row={row} isMoved />
          ))}
        </>
      }
    />
  )
}

function ChangedRowView({ row, isMoved = false }: { row: ChangedRow; isMoved?: boolean }) {
  const say = useSay()
  const words_ = isMoved
    ? { add: words.movedIn, remove: words.movedAway, same: words.movedOther, edit: undefined }[row.what]
    : { add: words.changeAdd, remove: words.changeRemove, same: words.changeSame, edit: undefined }[row.what]
  return (
    <section className="work-changed">
      <p>
        <span className="kit-quiet">{row.family}</span> <strong>{row.title}</strong>{' '}
        {words_ && <Tag color={row.what === 'remove' ? 'error' : 'processing'}>{say(words_)}</Tag>}
      </p>
      {row.what !== 'same' && row.what !== 'remove' && (
        <Changes fields={row.fields} keys={Object.keys(row.fields)} was={row.was} now={row.now} hidden={row.hidden} />
      )}
    </section>
  )
}

function FormCard({
  form,
  values,
  names,
}: {
  form: FlowForm
  values: Record<string, unknown>
  names: Record<string, string>
}) {
  const say = useSay()
  const fields = fieldsOf(form)
  const row = Object.fromEntries(
    form.fields.flatMap(({ name, input }) => [
      [name, values[name] ?? ''],
      ...(input === 'person' ? [[`${name}Name`, names[String(values[name])] ?? '']] : []),
    ]),
  )
  return (
    <div className="work-card">
      <h2>{say(form.label)}</h2>
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={form.fields.map(({ name, label }) => ({
          key: name,
          label: say(label),
          children: <FieldCell name={name} field={fields[name]!} row={row} place="detail" />,
        }))}
      />
    </div>
  )
}
