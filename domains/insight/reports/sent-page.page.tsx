import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { ReportResult } from '#kit/resource/answer.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { ReportFiguresOnPhone } from './phone-figures.tsx'
import { PivotTable } from './pivot.tsx'
import { ReportChart } from './report-chart.tsx'
import { PrintedReport } from './report-paper.tsx'
import { reportSent } from './report-sent.resource.ts'
import { words } from './report-words.ts'
import { useReportableResources } from './use-report.ts'
import '#kit/web/base/kit.css'
import './report.css'

type Received = { name: string; sendTime: string; answer: ReportResult }

/** Page of a delivered report, as it was when it was sent. */
export default function SentReportPage() {
  const { id = '' } = useParams()
  const t = useLocalize()
  const isPhone = useScreenSize() === 0
  const { data, error, refetch } = useQuery({
    queryKey: ['report-received', id],
    queryFn: () => apiGet<Received>(`${reportSent.path}/page`, { id }, { quiet: true }),
    retry: false,
  })

  const reportable = useReportableResources()?.find(({ resource }) => resource.name === data?.answer.question.family)
  useTabTitle(data?.name)

  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
  if (!data || !reportable)
    return (
      <div className="kit-page">
        <span className="kit-skeleton" />
      </div>
    )

  const { answer, name } = data
  return (
    <div className="kit-page report-page">
      <header className="kit-title report-title">
        <h1>{name}</h1>
        <p>{t(words.asOf, { time: answer.time.slice(0, 16) })}</p>
      </header>
      <div className="report-bar report-card">
        <span className="kit-quiet">{answer.days && t(words.days, answer.days)}</span>
        <span className="kit-grow" />
        <Button icon={<Icon name="printer" />} onClick={() => print()}>
          {t(words.print)}
        </Button>
      </div>
      <ReportChart answer={answer} />
      <section className="report-card">
        {isPhone ? (
          <ReportFiguresOnPhone answer={answer} family={reportable} />
        ) : (
          <PivotTable answer={answer} family={reportable} />
        )}
      </section>
      <PrintedReport answer={answer} title={name} paper={answer.columns.length > 4 ? 'landscape' : 'portrait'} />
    </div>
  )
}
