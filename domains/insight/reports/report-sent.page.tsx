import { useNavigate } from 'react-router'
import type { WireRow } from '#kit/resource/index.ts'
import { apiDownload } from '#kit/web/http/http.ts'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useResourcePathFinder } from '#kit/web/inputs/row-link.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { reportSent } from './report-sent.resource.ts'

type Row = WireRow<typeof reportSent>

const words = {
  intro: { zh: '定时送来的报表、表格和提醒', en: 'Reports, spreadsheets and alerts delivered on schedule' },
  open: { zh: '打开', en: 'Open' },
  download: { zh: '下载', en: 'Download' },
  rows: { zh: '看明细', en: 'View records' },
}

/** List of delivered reports: opens pages, downloads workbooks, and leads from alarms to their rows. */
export default function SentReportListPage() {
  return <ResourcePage resource={reportSent} page={{ intro: words.intro, rowActions: useActs() }} />
}

function useActs() {
  const go = useNavigate()
  const pathOf = useResourcePathFinder()
  const me = useSession((session) => session.user?.userId)
  return (row: Row): RowAction[] => {
    if (row.state !== 'sent' || row.userId !== me) return []
    if (row.kind === 'page')
      return [{ key: 'open', label: words.open, icon: 'eye', run: () => void go(`/statistics/reportSent/${row.id}`) }]
    const isOfList = row.taskId !== '' || row.kind === 'alarm'
    if (!isOfList)
      return [
        {
          key: 'download',
          label: words.download,
          icon: 'download',
          run: () => void apiDownload(`${reportSent.path}/file`, { id: row.id }),
        },
      ]
    const path = pathOf(row.family)
    const query = new URLSearchParams(row.query as Record<string, string>).toString()
    return path ? [{ key: 'rows', label: words.rows, icon: 'eye', run: () => void go(`${path}?${query}`) }] : []
  }
}
