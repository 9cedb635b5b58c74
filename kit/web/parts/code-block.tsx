import { Button } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { copyToClipboard } from './copyable.tsx'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'
import './parts.css'

/** Formats JSON with indentation; returns any other text unchanged. */
function pretty(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? ''
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'object' && parsed !== null ? JSON.stringify(parsed, null, 2) : value
  } catch {
    return value
  }
}

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g
const COLOURED_MAX = 20_000

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [all, quoted, colon] = match
    parts.push(text.slice(end, match.index))
    const kind = colon ? 'key' : quoted ? 'text' : 'plain'
    parts.push(
      <span key={match.index} className={`kit-code-${kind}`}>
        {quoted && colon ? quoted : all}
      </span>,
      colon ?? '',
    )
    end = match.index + all.length
  }
  parts.push(text.slice(end))
  return parts
}

/** Shows code, data or a stack trace, with a button to copy it. */
export function CodeBlock({ label, value, wrap }: { label: string; value: unknown; wrap?: boolean }) {
  const t = useLocalize()
  const text = useMemo(() => pretty(value), [value])
  const isJson = /^[[{]/.test(text) && text.length <= COLOURED_MAX
  if (!text) return null
  return (
    <figure className="kit-code">
      <figcaption>
        <span>{label}</span>
        <Button
          size="small"
          type="text"
          icon={<Icon name="copy" />}
          onClick={() => void copyToClipboard(text).then(() => toast.success(t(words.copied)))}
        >
          {t({ zh: '复制', en: 'Copy' })}
        </Button>
      </figcaption>
      <pre tabIndex={0} className={wrap ? 'kit-code-wrap' : undefined}>
        {isJson ? coloured(text) : text}
      </pre>
    </figure>
  )
}
