import { Button } from 'antd'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { ReportQuery, WireRow } from '#kit/resource/index.ts'
import type { ReportResult } from '#kit/resource/answer.ts'
import { apiDownload, apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote, EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { ReportBuilder, ReportTimeSpanBar } from './builder.tsx'
import { ReportFiguresOnPhone } from './phone-figures.tsx'
import { PivotTable } from './pivot.tsx'
import { ReportChart } from './report-chart.tsx'
import { PrintedReport } from './report-paper.tsx'
import { reportTiming } from './report-timing.resource.ts'
import { reportTimingFormProps } from './timing-form.tsx'
import { reportView } from './report-view.resource.ts'
import { words } from './report-words.ts'
import type { ReportDraft } from './save-dialog.tsx'
import {
  isCompleteReportQuery,
  useReportResult,
  useReportableResources,
  type ReportableResource,
} from './use-report.ts'
import '#kit/web/base/kit.css'
import './report.css'

const SaveDialog = lazy(() => import('./save-dialog.tsx'))
const EditDialog = lazy(() => import('#kit/web/form/edit-dialog.tsx'))

const EVERY_MORNING = '0 8 * * *'

type Row = WireRow<typeof reportView>

const NEW: ReportQuery = { family: '', filters: {}, rows: [], columns: [], measures: [] }

/** Page of one report: chart, table, print version and editor. */
export default function ReportPage() {
  const { id = '' } = useParams()
  const lang = useLanguage()
  const t = useLocalize()
  const isNew = id === 'new'
  const { data: row, error } = useQuery({
    queryKey: ['report-view', id, lang],
    queryFn: () => apiGet<Row>(`${reportView.path}/detail`, { id }, { quiet: true }),
    enabled: !isNew,
  })
  const resources = useReportableResources()
  if (error) return <ErrorNote title={t(words.gone)} error={error} retry={() => {}} />
  if (!resources || (!isNew && !row))
    return (
      <div className="kit-page">
        <span className="kit-skeleton" />
      </div>
    )
  return <Report key={`${id}/${row?.version ?? ''}`} row={row} families={resources} />
}

/** State of the query, initially as saved. */
function useQuestion(row: Row | undefined) {
  const saved = row ? { ...NEW, ...(row.question as ReportQuery) } : NEW
  const [question, setQuestion] = useState(saved)
  const change = (part: Partial<ReportQuery>) =>
    setQuestion((before) => JSON.parse(JSON.stringify({ ...before, ...part })) as ReportQuery)
  return { question, change, isChanged: JSON.stringify(question) !== JSON.stringify(saved) }
}

function Report({ row, families }: { row?: Row; families: ReportableResource[] }) {
  const t = useLocalize()
  const [params] = useSearchParams()
  const { question, change, isChanged } = useQuestion(row)
  const [isEditing, setEditing] = useState(!row || params.has('edit'))
  const chosen = families.find(({ resource }) => resource.name === question.family)
  const { data: answer, error, refetch, isFetching } = useReportResult(chosen && question)
  const title = row?.name ?? t(words.make)
  useTabTitle(title)
  return (
    <div className="kit-page report-page">
      <header className="kit-title report-title">
        <h1>{title}</h1>
        <p>{row?.remark || t(words.intro)}</p>
      </header>
      <div className="report-bar report-card" hidden={!question.family}>
        {chosen && <ReportTimeSpanBar question={question} onChange={change} family={chosen} />}
        <span className="kit-grow" />
        <Acts
          row={row}
          question={question}
          isChanged={isChanged}
          answer={answer}
          isEditing={isEditing}
          onEdit={() => setEditing(!isEditing)}
        />
      </div>
      {isEditing && <ReportBuilder question={question} onChange={change} families={families} family={chosen} />}
      <Outcome
        question={question}
        family={chosen}
        answer={answer}
        error={error}
        retry={() => void refetch()}
        isFetching={isFetching}
      />
      {answer && <PaperOf row={row} answer={answer} />}
    </div>
  )
}

type OutcomeProps = {
  question: ReportQuery
  family?: ReportableResource
  answer?: ReportResult
  error: Error | null
  retry: () => void
  isFetching: boolean
}

/** The result, or why there is none yet. */
function Outcome({ question, family, answer, error, retry, isFetching }: OutcomeProps) {
  const t = useLocalize()
  if (!isCompleteReportQuery(question)) return <EmptyStateNote icon="bar-chart" title={t(words.choose)} />
  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={retry} />
  if (!answer || !family || answer.question.family !== question.family) return <span className="kit-skeleton" />
  return <Result answer={answer} family={family} isFetching={isFetching} />
}

/** Print version of the result, with the saved heading and footer. */
const PaperOf = ({ row, answer }: { row?: Row; answer: ReportResult }) => (
  <PrintedReport
    answer={answer}
    title={row?.heading || row?.name || answer.label}
    footer={row?.footer || undefined}
    paper={row?.paper === 'landscape' ? 'landscape' : 'portrait'}
  />
)

function Result({
  answer,
  family,
  isFetching,
}: {
  answer: ReportResult
  family: ReportableResource
  isFetching: boolean
}) {
  const t = useLocalize()
  const isPhone = useScreenSize() === 0
  if (!answer.rows.length) return <EmptyStateNote icon="inbox" title={t(words.none)} hint={t(words.noneHint)} />
  return (
    <div aria-busy={isFetching}>
      <ReportChart answer={answer} />
      <section className="report-card">
        <p className="kit-quiet report-days">
          {answer.days && <span>{t(words.days, answer.days)}</span>}
          {answer.before && <span>{t(words.comparedDays, answer.before)}</span>}
          <span>{t(words.asOf, { time: answer.time.slice(5, 16) })}</span>
        </p>
        {isPhone ? (
          <ReportFiguresOnPhone answer={answer} family={family} />
        ) : (
          <PivotTable answer={answer} family={family} />
        )}
      </section>
    </div>
  )
}

type Acting = {
  row?: Row
  question: ReportQuery
  isChanged: boolean
  answer?: ReportResult
  isEditing: boolean
  onEdit: () => void
}

function Acts(props: Acting) {
  const { row, question, answer, isEditing, onEdit } = props
  const t = useLocalize()
  const may = useResourcePermissions(reportView)
  const take = () => void apiDownload('/api/report/workbook', { question: JSON.stringify(question), name: row?.name })
  return (
    <div className="report-acts">
      <Button icon={<Icon name={isEditing ? 'up' : 'sliders'} />} onClick={onEdit} aria-expanded={isEditing}>
        {t(isEditing ? words.done : words.edit)}
      </Button>
      {may.export && answer && (
        <Button icon={<Icon name="download" />} onClick={take}>
          {t(words.export)}
        </Button>
      )}
      {answer && (
        <Button icon={<Icon name="printer" />} onClick={() => print()}>
          {t(words.print)}
        </Button>
      )}
      {row && <SendButton row={row} />}
      <SaveButtons {...props} />
    </div>
  )
}

/** Button to schedule the report, by default for oneself. */
function SendButton({ row }: { row: Row }) {
  const t = useLocalize()
  const me = useSession((session) => session.user?.userId)
  const [isOpen, setOpen] = useState(false)
  if (!useResourcePermissions(reportTiming).add) return null
  const start = { reportId: row.id, reportName: row.name, name: row.name, cron: EVERY_MORNING, userIds: me ?? '' }
  return (
    <>
      <Button icon={<Icon name="schedule" />} onClick={() => setOpen(true)}>
        {t(words.send)}
      </Button>
      {isOpen && (
        <Suspense>
          <EditDialog
            resource={reportTiming}
            {...reportTimingFormProps}
            preset={start}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function SaveButtons({ row, question, isChanged }: Acting) {
  const t = useLocalize()
  const go = useNavigate()
  const { close } = useTab()
  const may = useResourcePermissions(reportView)
  const client = useQueryClient()
  const me = useSession((session) => session.user?.userId)
  const [saving, setSaving] = useState<ReportDraft>()

  const isOwn = !!row && may.edit && !row.builtIn && row.createUser === me
  const start = (isCopy: boolean): ReportDraft => ({
    name: row?.name ?? '',
    heading: row?.heading ?? '',
    footer: row?.footer ?? '',
    roleId: isCopy ? '' : (row?.roleId ?? ''),
    paper: row?.paper || 'portrait',
    ...(row && !isCopy ? { id: row.id, version: row.version } : {}),
  })

  const closed = (id?: string) => {
    setSaving(undefined)
    if (!id) return
    void client.invalidateQueries({ queryKey: ['report-view'] })
    // After saving, the page for new reports is closed, so that it starts empty next time.
    if (!row) close()
    void go(`/statistics/report/${id}`)
  }

  return (
    <>
      {may.add && isCompleteReportQuery(question) && (!isOwn || isChanged) && (
        <Button
          type={row ? 'default' : 'primary'}
          icon={<Icon name={row ? 'copy' : 'save'} />}
          onClick={() => setSaving(start(true))}
        >
          {t(row ? words.saveAs : words.save)}
        </Button>
      )}
      {isOwn && (
        <Button
          type={isChanged ? 'primary' : 'default'}
          icon={<Icon name="save" />}
          onClick={() => setSaving(start(false))}
        >
          {t(words.save)}
        </Button>
      )}
      {saving && (
        <Suspense>
          <SaveDialog question={question} start={saving} onClose={closed} />
        </Suspense>
      )}
    </>
  )
}
