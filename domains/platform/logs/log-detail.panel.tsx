import { Tag } from 'antd'
import type { ReactNode } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { baseFields } from '#kit/resource/define-resource.ts'
import { CodeBlock } from '#kit/web/parts/code-block.tsx'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import type { logApi, logError, logUsual } from './log.resource.ts'
import type { requestLog } from './request-log.resource.ts'
import './logs.css'

const words = {
  what: { zh: '发生了什么', en: 'Details' },
  call: { zh: '请求', en: 'Request' },
  server: { zh: '服务器', en: 'Server' },
  millis: { zh: '{count} 毫秒', en: '{count} ms' },
}

const methodColour: Record<string, string> = { GET: 'processing', POST: 'success', DELETE: 'error' }
const SLOW = 1000

export const HttpMethodTag = ({ value }: { value: unknown }) =>
  value ? (
    <Tag className="kit-tag kit-mono" color={methodColour[String(value)] ?? 'default'}>
      {String(value)}
    </Tag>
  ) : null

export function HttpStatusTag({ value }: { value: unknown }) {
  const status = Number(value)
  if (!(status > 0)) return <span className="kit-quiet">—</span>
  const [colour, icon] =
    status < 400
      ? ['success', 'check-circle']
      : status < 500
        ? ['warning', 'exclamation-circle']
        : ['error', 'close-circle']
  return (
    <Tag className="kit-tag" color={colour} icon={<Icon name={icon} />}>
      {status}
    </Tag>
  )
}

export const LogLevelTag = ({ value }: { value: unknown }) =>
  value ? <DictTag code="log_level" value={value} /> : null

export function MillisecondsText({ value }: { value: unknown }) {
  const t = useLocalize()
  if (value === '' || value === undefined) return <span className="kit-quiet">—</span>
  return (
    <span className={`kit-number${Number(value) >= SLOW ? ' kit-bad' : ''}`}>
      {t(words.millis, { count: Number(value).toLocaleString('en-US') })}
    </span>
  )
}

export const httpStatusCell = ({ value }: CellProps) => <HttpStatusTag value={value} />

/** Cells shared by the lists of all logs. */
export const logCellOverrides = {
  method: ({ value }: CellProps) => <HttpMethodTag value={value} />,
  time: ({ value }: CellProps) => <MillisecondsText value={value} />,
  requestUri: ({ value }: CellProps) => (
    <code className="kit-line kit-mono" data-tip-cut={String(value ?? '')}>
      {String(value ?? '') || '—'}
    </code>
  ),
}

type Logs = typeof logApi | typeof logError | typeof logUsual | typeof requestLog
type KeyOf<R> = R extends Logs ? keyof R['fields'] : never
type LogKey = KeyOf<Logs>

type Props = {
  resource: { fields: { [key in LogKey]?: Field } }
  row: { [key in LogKey | 'createTime']?: unknown }
  /** Fields of this kind of log, shown before the common ones. */
  first: readonly LogKey[]
  /** Long texts: JSON is formatted, those with `wrap` break their lines. */
  blocks: { key: LogKey; wrap?: boolean }[]
  head: ReactNode
}

const CALL: LogKey[] = [
  'requestUri',
  'time',
  'createBy',
  'remoteIp',
  'userAgent',
  'methodClass',
  'methodName',
  'traceId',
]
const SERVER: LogKey[] = ['serviceId', 'serverHost', 'serverIp', 'env']
const copied: ReadonlySet<string> = new Set(['traceId', 'remoteIp', 'requestUri'])

/** Shows one log entry in full. */
export function LogEntryDetail({ resource, row, first, blocks, head }: Props) {
  const t = useLocalize()
  const label = (key: LogKey) => t(resource.fields[key]!.label)
  const text = (key: LogKey) => {
    const value = row[key]
    if (key === 'time') return <MillisecondsText value={value} />
    if (key === 'httpStatus') return <HttpStatusTag value={value} />
    if (key === 'logLevel') return <LogLevelTag value={value} />
    return copied.has(key) ? <CopyableText text={String(value)} /> : <span className="kit-wrap">{String(value)}</span>
  }

  const facts = (title: LocalizedText, keys: readonly LogKey[]) => {
    const shown = keys.filter((key) => row[key] !== undefined && row[key] !== '' && Number(row[key]) !== -1)
    return (
      shown.length > 0 && (
        <section>
          <h3>{t(title)}</h3>
          <dl className="kit-facts">
            {shown.map((key) => (
              <div
                key={key}
                className={key === 'userAgent' || key === 'requestUri' ? 'kit-fact kit-fact-wide' : 'kit-fact'}
              >
                <dt>{label(key)}</dt>
                <dd>{text(key)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )
    )
  }

  return (
    <div className="kit-detail">
      <header className="log-head">
        {head}
        <span className="log-when" data-tip={t(baseFields.createTime.label)}>
          <RelativeTime at={String(row.createTime ?? '')} full />
        </span>
      </header>
      {facts(words.what, first)}
      {blocks.map(({ key, wrap }) => (
        <CodeBlock key={key} label={label(key)} value={row[key]} wrap={wrap} />
      ))}
      {facts(words.call, CALL)}
      {facts(words.server, SERVER)}
    </div>
  )
}
