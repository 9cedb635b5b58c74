import { Icon } from '#kit/web/theme/icon.tsx'
import { lazy } from 'react'
import type { CellProps, WebFieldKind } from '../web-kind.ts'

const IconCell = ({ value, place }: CellProps) => (
  <span className="kit-icon-cell">
    <Icon name={String(value)} label={String(value)} /> {place === 'detail' && String(value)}
  </span>
)

export const iconWebKind: WebFieldKind = {
  Cell: IconCell,
  Input: lazy(() => import('./icon-input.web.tsx')),
  width: 70,
  align: 'center',
}
