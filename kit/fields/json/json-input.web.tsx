import { Button, Input } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import type { InputProps } from '../web-kind.ts'

/** Returns the line number of the first JSON error in a text, undefined if it is valid. */
export function findJsonErrorLine(text: string): number | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (reason) {
    const message = String((reason as Error).message)
    const line = /line (\d+)/.exec(message)?.[1]
    const place = /position (\d+)/.exec(message)?.[1]
    return line ? Number(line) : text.slice(0, place ? Number(place) : text.length).split('\n').length
  }
}

/** Text area for JSON. Shows below whether the text is valid, with a button that formats it. */
export default function JsonInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '', null, 2)
  const line = text.trim() === '' ? undefined : findJsonErrorLine(text)
  return (
    <div>
      <Input.TextArea
        id={id}
        className="kit-mono"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        autoSize={{ minRows: 4, maxRows: 18 }}
        spellCheck={false}
        disabled={disabled}
        status={invalid || line ? 'error' : undefined}
        aria-invalid={invalid || !!line}
        aria-describedby={describedBy}
        aria-required={isRequired}
      />
      {text.trim() !== '' && (
        <div className="kit-below">
          <span className={line ? 'kit-bad' : 'kit-quiet'}>
            {line ? t(words.jsonBad, { line }) : t(words.jsonGood)}
          </span>
          {!line && !disabled && (
            <Button type="link" size="small" onClick={() => onChange(JSON.stringify(JSON.parse(text), null, 2))}>
              {t(words.format)}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
