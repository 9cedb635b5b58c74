import { lazy } from 'react'
import type { IconName, LocalizedText } from '#kit/resource/index.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import type { SavedView } from '#kit/web/list/use-views.ts'
import type { SavedViewAction } from '#kit/web/list/view-acts.ts'
import { useSession } from '#kit/web/session/session.ts'
import { reportTiming } from './report-timing.resource.ts'
import { reportTimingFormProps } from './timing-form.tsx'

const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))

const USUAL = { alarm: '*/10 * * * *', workbook: '0 8 * * *' }

/** Creates an entry of the view menu that schedules the current view of a list. */
export function createViewTimingAction(
  kind: 'alarm' | 'workbook',
  label: LocalizedText,
  icon: IconName,
): SavedViewAction {
  function Dialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
    const me = useSession((session) => session.user?.userId) ?? ''
    return (
      <EditDialog
        resource={reportTiming}
        {...reportTimingFormProps}
        preset={{ viewId: view.id, name: view.name, kind, cron: USUAL[kind], userIds: me }}
        onClose={onClose}
      />
    )
  }
  return { key: `timing-${kind}`, label, icon, can: permissionCodeOf(reportTiming, 'add'), Dialog }
}
