import { Alert, Descriptions, Tag } from 'antd'
import { FieldChanges } from '#kit/web/row/changes.tsx'
import { FieldCell } from '#kit/web/row/field-cell.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { processFormToFields, type ProcessForm } from './forms.ts'
import { ChangeRequestStateText, ChangeRequestStateTag } from './change-state.tsx'
import { CHANGE_REQUEST_STATE } from './flow-change.resource.ts'
import type { ChangeRequest, ChangeRequestRow, ProcessDetail } from './process-data.ts'
import { words } from './work-words.ts'

/** Shows the subject of a process: the change request or the filled-in forms. */
export function ProcessSubject({ data }: { data: ProcessDetail }) {
  const t = useLocalize()
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
            { key: 'starter', label: t(words.starter), children: data.starter },
            { key: 'at', label: t(words.startedAt), children: data.startTime },
            { key: 'kind', label: t(words.category), children: data.categoryName },
            ...(data.change
              ? [{ key: 'until', label: t(words.goodUntil), children: data.change.expireTime }]
              : [{ key: 'version', label: t(words.version), children: `v${data.version}` }]),
          ]}
        />
      </div>
    </>
  )
}

function ChangeCard({ change }: { change: ChangeRequest }) {
  const t = useLocalize()
  const more = change.count - change.rows.length
  return (
    <div className="work-card">
      <h2>{t(isOpen(change) ? words.changeOf : words.changeWas)}</h2>
      <Became change={change} />
      {change.rows.map((row, at) => (
        <ChangedRowView key={at} row={row} />
      ))}
      {more > 0 && <p className="kit-quiet">{t(words.changeMore, { count: more })}</p>}
      {!!change.args?.length && (
        <>
          <h3>{t(words.changeArgs)}</h3>
          <Descriptions
            column={{ xs: 1, md: 2 }}
            items={change.args.map(({ label, text }) => ({ key: label, label, children: text }))}
          />
        </>
      )}
    </div>
  )
}

const isOpen = ({ state }: ChangeRequest): boolean =>
  state === CHANGE_REQUEST_STATE.waiting || state === CHANGE_REQUEST_STATE.agreed

/**
 * Shows the result of a change request, or why it would not be executed: above all when it was agreed to but not done,
 * with the rows that changed.
 */
function Became({ change }: { change: ChangeRequest }) {
  const t = useLocalize()
  const { state, outcome, moved, isOtherwise } = change
  if (!moved.length && !outcome)
    return isOpen(change) ? <p className="kit-quiet">{t(words.changeNote)}</p> : <ChangeRequestStateTag state={state} />
  const isFailed = state === CHANGE_REQUEST_STATE.failed
  return (
    <Alert
      type={isFailed ? 'error' : 'warning'}
      showIcon
      title={isOpen(change) ? t(words.wouldBeStale) : <ChangeRequestStateText state={state} />}
      description={
        <>
          {!isOpen(change) && <p>{outcome}</p>}
          {moved.length > 0 && <p className="kit-quiet">{t(isOtherwise ? words.otherwise : words.thenAndNow)}</p>}
          {moved.map((row, at) => (
            <ChangedRowView key={at} row={row} isMoved />
          ))}
        </>
      }
    />
  )
}

function ChangedRowView({ row, isMoved = false }: { row: ChangeRequestRow; isMoved?: boolean }) {
  const t = useLocalize()
  const words_ = isMoved
    ? { add: words.movedIn, remove: words.movedAway, same: words.movedOther, edit: undefined }[row.what]
    : { add: words.changeAdd, remove: words.changeRemove, same: words.changeSame, edit: undefined }[row.what]
  return (
    <section className="work-changed">
      <p>
        <span className="kit-quiet">{row.family}</span> <strong>{row.title}</strong>{' '}
        {words_ && <Tag color={row.what === 'remove' ? 'error' : 'processing'}>{t(words_)}</Tag>}
      </p>
      {row.what !== 'same' && row.what !== 'remove' && (
        <FieldChanges
          fields={row.fields}
          keys={Object.keys(row.fields)}
          was={row.was}
          now={row.now}
          hidden={row.hidden}
        />
      )}
    </section>
  )
}

function FormCard({
  form,
  values,
  names,
}: {
  form: ProcessForm
  values: Record<string, unknown>
  names: Record<string, string>
}) {
  const t = useLocalize()
  const fields = processFormToFields(form)
  const row = Object.fromEntries(
    form.fields.flatMap(({ name, input }) => [
      [name, values[name] ?? ''],
      ...(input === 'person' ? [[`${name}Name`, names[String(values[name])] ?? '']] : []),
    ]),
  )
  return (
    <div className="work-card">
      <h2>{t(form.label)}</h2>
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={form.fields.map(({ name, label }) => ({
          key: name,
          label: t(label),
          children: <FieldCell name={name} field={fields[name]!} row={row} place="detail" />,
        }))}
      />
    </div>
  )
}
