import { Button, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import { rowTitleOf } from '../row/action-words.ts'
import { Drawer } from '../parts/drawer.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { useTab } from '../base/tab.ts'
import { useResourcePermissions } from '../session/use-may.ts'

const RowHistory = lazy(() => import('./row-history.tsx'))

/**
 * Button that opens a row's history, for rows that have a page of their own. (In a drawer the history is part of it.)
 */
export function RowHistoryButton({
  resource,
  row,
  size,
}: {
  resource: Resource<any, any>
  row: UntypedRow
  size?: 'large'
}) {
  const t = useLocalize()
  const may = useResourcePermissions(resource)
  const { active } = useTab()
  const [isOpen, setOpen] = useState(false)
  if (!resource.history || !may.view) return null
  return (
    <>
      <Button type="text" size={size} icon={<Icon name="history" />} onClick={() => setOpen(true)}>
        {t(words.history)}
      </Button>
      <Drawer
        open={isOpen && active}
        size={640}
        className="kit-drawer"
        onClose={() => setOpen(false)}
        title={
          <span className="kit-drawer-title">
            <span className="kit-quiet">{t(words.history)}</span> {rowTitleOf(resource, row)}
          </span>
        }
      >
        {isOpen && (
          <Suspense fallback={<Skeleton active />}>
            <RowHistory resource={resource} id={String(row.id)} />
          </Suspense>
        )}
      </Drawer>
    </>
  )
}
