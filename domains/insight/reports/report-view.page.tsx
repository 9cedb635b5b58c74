import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { reportView } from './report-view.resource.ts'
import { words } from './report-words.ts'

type Row = WireRow<typeof reportView>
type FormProps = { id?: string; onClose: (saved: boolean) => void }

/** Replaces the edit dialog: leads to the report page. */
function ToReport({ id, onClose }: FormProps) {
  const go = useNavigate()
  useEffect(() => {
    onClose(false)
    void go(id ? `/statistics/report/${id}?edit=1` : '/statistics/report/new')
  })
  return null
}

/** Cell with the role a report is shared with; built-in ones are everybody's. */
function SharedCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  if (row.builtIn) return <span className="kit-quiet">{t(words.everybody)}</span>
  return row.roleName ? (
    <span>{row.roleName}</span>
  ) : (
    <span className="kit-quiet">{t(reportView.fields.roleId.emptyLabel!)}</span>
  )
}

/** List of the reports the user may open. */
export default function ReportsPage() {
  const go = useNavigate()
  const open = (row: Row) => void go(`/statistics/report/${row.id}`)
  return (
    <ResourcePage
      resource={reportView}
      page={{
        intro: words.intro,
        form: (props: FormProps) => <ToReport {...props} />,
        cells: { roleId: (props: CellProps<Row>) => <SharedCell {...props} /> },
        onRow: open,
        rowActions: (row: Row) => [{ key: 'open', label: words.open, icon: 'bar-chart', run: () => open(row) }],
      }}
    />
  )
}
