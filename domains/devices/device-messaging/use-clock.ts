import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useHasPermission } from '#kit/web/session/can.ts'

const words = {
  time: { zh: '校时', en: 'Sync clock' },
  timeSet: { zh: '已校时，原偏差 {offset} 毫秒', en: 'Clock synced. It was off by {offset} ms.' },
}
/** Returns the row action that sets a device's clock, for users with the permission. */
export function useClockSyncActions(path: string, onSet: () => void): (row: { clientId?: unknown }) => RowAction[] {
  const t = useLocalize()
  const may = useHasPermission('deviceLink_time')
  const set = async (clientId: unknown) => {
    try {
      const { offsetMs = 0 } = await apiPost<{ offsetMs?: number }>(`${path}/syncTime`, { query: { clientId } })
      toast.success(t(words.timeSet, { offset: offsetMs }))
      onSet()
    } catch {
      // The error is shown as a toast.
    }
  }
  return ({ clientId }) =>
    may ? [{ key: 'time', label: words.time, icon: 'clock-circle', run: () => void set(clientId) }] : []
}
