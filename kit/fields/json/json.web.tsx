import { lazy } from 'react'
import type { CellProps, WebFieldKind } from '../web-kind.ts'

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function JsonCell({ value, place }: CellProps) {
  const data = parsed(value)
  if (place === 'detail')
    return <pre className="kit-json">{typeof data === 'string' ? data : JSON.stringify(data, null, 2)}</pre>
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return (
    <code className="kit-line kit-mono" data-tip-cut={text}>
      {text}
    </code>
  )
}

export const jsonWebKind: WebFieldKind = {
  Cell: JsonCell,
  Input: lazy(() => import('./json-input.web.tsx')),
  width: 200,
  wide: true,
}
