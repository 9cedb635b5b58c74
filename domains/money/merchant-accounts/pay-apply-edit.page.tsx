import type { WireRow } from '#kit/resource/index.ts'
import { Alert, Button, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { FormDraftNotice } from '#kit/web/form/draft-note.tsx'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { FormProblemAlert } from '#kit/web/form/form-problem.tsx'
import { RowHistoryButton } from '#kit/web/detail/history-button.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { useReportUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { deleteFormDraft } from '#kit/web/form/drafts.ts'
import { formInputId, useFormDraftKey, useForm, type FormState } from '#kit/web/form/use-form.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { useSaveRow } from '#kit/web/form/use-save.ts'
import { APPLY_STEPS, isAgentContact, applyStepOfField } from './apply-faults.ts'
import { AGENT_ONLY_APPLY_FIELDS } from './apply-fields.ts'
import { ApplyActs } from './apply-acts.tsx'
import { ApplyReview, ApplySteps, applyIssuesAtStep, findApplyIssues, useApplyIssues } from './apply-steps.tsx'
import { bankInputsByField } from './bank-inputs.web.tsx'
import { EDITABLE_APPLY_STATES } from './dictionaries.ts'
import { payApply } from './pay-apply.resource.ts'
import { RefusedNote, ApplyStatusNote } from './pay-apply-stands.tsx'
import './merchants.css'

type Row = WireRow<typeof payApply>

const MergeDialog = lazy(() => import('#kit/web/form/merge-dialog.tsx'))

const words = {
  title: { zh: '特约商户进件', en: 'Merchant onboarding' },
  save: { zh: '保存草稿', en: 'Save draft' },
  next: { zh: '下一步', en: 'Next' },
  before: { zh: '上一步', en: 'Back' },
  saved: { zh: '草稿已保存', en: 'Draft saved' },
  back: { zh: '返回', en: 'Back' },
  edit: { zh: '修改', en: 'Edit' },
} satisfies Record<string, LocalizedText>

type Layout = FormLayoutOf<typeof payApply>
/** Form layout with all steps, for validation. */
const layout: Layout = APPLY_STEPS.flatMap(({ title, fields }): Layout => {
  const ofAll = { title, fields: fields.filter((key) => !AGENT_ONLY_APPLY_FIELDS.includes(key)) }
  const ofAgent = fields.filter((key) => AGENT_ONLY_APPLY_FIELDS.includes(key))
  return ofAgent.length ? [ofAll, { fields: ofAgent, when: isAgentContact }] : [ofAll]
})
/** The same layout with only one step visible. */
const layoutAt = (step: number): Layout =>
  layout.map((group) => (applyStepOfField(group.fields[0] ?? '') === step ? group : { ...group, when: () => false }))
const LAST = APPLY_STEPS.length - 1

/** Page to edit an application: /pay/payApplyEdit/{merchantId}/{id}/{add|edit|view}. */
export default function PayApplyEditPage() {
  const { merchantId = '', id = '0', type = 'view' } = useParams()
  const t = useLocalize()
  const isNew = type === 'add' || id === '0'
  const { data: row, error, refetch, isFetching } = useRowDetail(payApply, isNew ? undefined : id)
  useTabTitle(row ? `${t(words.title)} ${String(row.merchantShortname || row.businessCode)}` : t(words.title))
  if (error && !row) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!isNew && !row)
    return (
      <div className="kit-page">
        <Skeleton active paragraph={{ rows: 12 }} />
      </div>
    )
  const isOpen = isNew || EDITABLE_APPLY_STATES.includes(row!.status as 'draft')
  if (type === 'view' || !isOpen) return <View row={row!} isOpen={isOpen} merchantId={merchantId} />
  return <Opened key={id} row={row} isFresh={isNew || !isFetching} merchantId={merchantId} />
}

/** Keeps the row with which the form was opened, although the page goes on fetching. */
function Opened({ row, isFresh, merchantId }: { row?: Row; isFresh: boolean; merchantId: string }) {
  const [opened, setOpened] = useState<{ row?: Row }>()
  if (isFresh && !opened) setOpened({ row })
  return opened ? (
    <Edit row={opened.row} merchantId={merchantId} />
  ) : (
    <div className="kit-page">
      <Skeleton active paragraph={{ rows: 12 }} />
    </div>
  )
}

function View({ row, isOpen, merchantId }: { row: Row; isOpen: boolean; merchantId: string }) {
  const t = useLocalize()
  const navigate = useNavigate()
  const may = useResourcePermissions(payApply)
  const left = useApplyIssues(row, isOpen)
  const isReady = !left.missing.length && !left.faults.length
  const goTo = (key: string) =>
    void navigate(`/pay/payApplyEdit/${merchantId}/${String(row.id)}/edit?step=${applyStepOfField(key) + 1}`)
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p className="kit-title-of">
          {String(row.merchantShortname)} · {String(row.businessCode)}
        </p>
        <span className="kit-grow" />
        <RowHistoryButton resource={payApply} row={row} />
      </header>
      <div className="merchant-apply">
        <ApplyStatusNote row={row} />
        <div className="merchant-acts">
          <ApplyActs row={row} isReady={isReady} />
        </div>
        {isOpen && <ApplyReview left={left} onGo={goTo} />}
        <div className="merchant-whole">
          <DetailView resource={payApply} row={row} />
        </div>
        <footer className="kit-drawer-foot">
          <Button onClick={() => void navigate(`/pay/payApply/${merchantId}`)}>{t(words.back)}</Button>
          {isOpen && may.edit && (
            <Button
              type={isReady ? 'default' : 'primary'}
              onClick={() => void navigate(`/pay/payApplyEdit/${merchantId}/${String(row.id)}/edit`)}
            >
              {t(words.edit)}
            </Button>
          )}
        </footer>
      </div>
    </div>
  )
}

/** Current step, kept in the URL, so that a reload and the back button keep it. */
function useStep(): [number, (step: number) => void] {
  const [search, setSearch] = useSearchParams()
  const step = Math.min(Math.max(Number(search.get('step') ?? 1) - 1 || 0, 0), LAST)
  return [step, (to) => setSearch({ step: String(to + 1) }, { replace: true })]
}

/** Form state of an application. Saves a draft when the step changes; opens the finished application at the end. */
function useApply(row: Row | undefined, merchantId: string) {
  const t = useLocalize()
  const navigate = useNavigate()
  const { key: tab } = useTab()
  const next = useRef<number>(undefined)
  const draftKey = useFormDraftKey(payApply.name, row?.id)
  const form = useForm({
    fields: payApply.fields,
    mode: row ? 'edit' : 'add',
    row,
    preset: row ? undefined : { merchantId: merchantId === '0' ? '' : merchantId },
    draftKey,
    layout,
  })
  const save = useSaveRow({
    resource: payApply,
    id: row && String(row.id),
    form,
    said: words.saved,
    done: (id, { version }) => {
      deleteFormDraft(draftKey)
      const address = `/pay/payApplyEdit/${merchantId}/${id}`
      if (next.current === undefined) return void navigate(`${address}/view`, { replace: true })
      form.rebase({ ...form.row, ...form.values, version }, {})
      void navigate(`${address}/edit?step=${next.current + 1}`, { replace: true })
    },
  })
  useReportUnsavedWork(form.changed.length > 0, t(payApply.label), tab)
  /** Saves the changes, then goes to `step`, or without one to the saved application. */
  const go = (step?: number) => {
    next.current = step
    return save.go()
  }
  return { form, save, go }
}

/** Shows the step of a field and focuses its input. */
const useGoTo = (form: FormState, setStep: (step: number) => void) => (key: string) => {
  setStep(applyStepOfField(key))
  setTimeout(() => {
    const input = document.getElementById(formInputId(form.id, key))
    input?.scrollIntoView({ block: 'center' })
    input?.focus({ preventScroll: true })
  }, 50)
}

function Edit({ row, merchantId }: { row?: Row; merchantId: string }) {
  const t = useLocalize()
  const navigate = useNavigate()
  const { form, save, go } = useApply(row, merchantId)
  const [step, setStep] = useStep()
  const left = findApplyIssues({ ...row, ...form.values })
  useStepOfError(form, step, setStep)
  const goTo = useGoTo(form, setStep)

  // A fault is shown at the step but does not stop the user, who may not have all documents at hand.
  const forth = () => (form.changed.length ? void go(step + 1) : setStep(step + 1))

  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{String(row?.businessCode ?? '')}</p>
      </header>
      <form
        className="merchant-apply"
        onSubmit={(event) => {
          event.preventDefault()
          if (step < LAST) forth()
          else void go()
        }}
      >
        <ApplySteps step={step} left={left} onGo={setStep} />
        {row && <RefusedNote row={row} onGo={goTo} />}
        <FormDraftNotice form={form} />
        <FormProblemAlert text={save.problem} />
        {step === LAST && <ApplyReview left={left} onGo={goTo} />}
        <StepFaults left={applyIssuesAtStep(left, step)} onGo={goTo} />
        <EditForm form={form} inputs={bankInputsByField} layout={layoutAt(step)} />
        <StepFoot
          form={form}
          step={step}
          isSaving={save.isSaving}
          onBack={() => (step ? setStep(step - 1) : void navigate(`/pay/payApply/${merchantId}`))}
          onSave={() => void go()}
        />
      </form>
      {save.theirs && (
        <Suspense>
          <MergeDialog
            fields={form.fields}
            row={form.row}
            mine={form.values}
            theirs={save.theirs}
            onCancel={save.dropTheirs}
            onMerge={(mine) => void save.merge(mine)}
          />
        </Suspense>
      )}
    </div>
  )
}

type StepFootProps = { form: FormState; step: number; isSaving: boolean; onBack: () => void; onSave: () => void }

/** Footer of a step: back, save and next. */
function StepFoot({ form, step, isSaving, onBack, onSave }: StepFootProps) {
  const t = useLocalize()
  return (
    <footer className="kit-drawer-foot">
      <span className="kit-bad" aria-live="polite">
        {form.errorCount > 0 && t(kit.fixErrors, { count: form.errorCount })}
      </span>
      <Button onClick={onBack}>{t(step ? words.before : kit.cancel)}</Button>
      {step < LAST && (
        <Button loading={isSaving} onClick={onSave}>
          {t(words.save)}
        </Button>
      )}
      <Button type="primary" htmlType="submit" loading={isSaving}>
        {t(step < LAST ? words.next : words.save)}
      </Button>
    </footer>
  )
}

/** Shows the step of a refused field if it is not on screen. */
function useStepOfError(form: FormState, step: number, setStep: (step: number) => void) {
  const { errorCount } = form
  const latest = useRef({ form, step, setStep })
  useEffect(() => {
    latest.current = { form, step, setStep }
  })
  // Only new refusals change the step: the user may go on with a fault.
  useEffect(() => {
    const { form, step, setStep } = latest.current
    const wrong = errorCount ? Object.keys(payApply.fields).filter((key) => form.errorOf(key)) : []
    if (wrong.length && !wrong.some((key) => applyStepOfField(key) === step)) setStep(applyStepOfField(wrong[0]!))
  }, [errorCount])
}

/** Lists the faults of the current step. */
function StepFaults({
  left: { faults },
  onGo,
}: {
  left: ReturnType<typeof applyIssuesAtStep>
  onGo: (key: string) => void
}) {
  const t = useLocalize()
  if (!faults.length) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={faults.map(({ field, words: sentence }) => (
        <div key={field}>
          <button type="button" className="kit-link" onClick={() => onGo(field)}>
            {t(payApply.fields[field].label)}
          </button>{' '}
          {t(sentence)}
        </div>
      ))}
    />
  )
}
