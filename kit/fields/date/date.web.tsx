import { lazy } from 'react'
import type { WebFieldKind } from '../web-kind.ts'

export const LazyDateInput = lazy(() => import('./date-input.web.tsx'))

export const dateWebKind: WebFieldKind = {
  Cell: ({ value }) => <span className="kit-number">{String(value)}</span>,
  Input: LazyDateInput,
  width: 120,
  drawnAs: 'text',
  savesOnChoice: true,
}
