import { Input } from 'antd'
import { lazy, Suspense } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import { cronKind } from './cron.ts'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

const CronSentence = lazy(() => import('./cron-sentence.web.tsx'))

const isGood = (text: string, field: InputProps['field']) => 'value' in cronKind.parse(text, field)

function CronCell({ value, field, place }: CellProps) {
  const text = String(value)
  const sentence = isGood(text, field) ? (
    <Suspense fallback={text}>
      <CronSentence cron={text} />
    </Suspense>
  ) : (
    text
  )
  return place === 'detail' ? (
    <span>
      {sentence} <code className="kit-quiet">{text}</code>
    </span>
  ) : (
    <span className="kit-line" data-tip={text}>
      {sentence}
    </span>
  )
}

function CronInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const text = String(value ?? '')
  return (
    <div>
      <Input
        id={id}
        className="kit-mono"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        placeholder="0 8 * * 1-5"
        allowClear
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-required={isRequired}
      />
      <div className="kit-below kit-quiet" aria-live="polite">
        <Suspense fallback={text}>
          {text && isGood(text, field) ? <CronSentence cron={text} /> : t(words.weekdayHint)}
        </Suspense>
      </div>
    </div>
  )
}

export const cronWebKind: WebFieldKind = { Cell: CronCell, Input: CronInput, width: 170 }
