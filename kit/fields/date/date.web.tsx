import { lazy } from 'react'
import type { WebKind } from '../web-kind.ts'

export const DateInput = lazy(() => import('./date-input.web.tsx'))

export const dateWeb: WebKind = {
  Cell: ({ value }) => <span className="kit-number">{String(value)}</span>,
  Input: DateInput,
  width: 120,
  drawnAs: 'text',
  savesOnChoice: true,
}
