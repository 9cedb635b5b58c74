import type { WireRow } from '#kit/resource/index.ts'
import { Alert, Button, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { DraftNote } from '#kit/web/form/draft-note.tsx'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { HistoryButton } from '#kit/web/detail/history-button.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import type { LayoutOf } from '#kit/web/page-parts.ts'
import { words as kit } from '#kit/web/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { useUnsaved } from '#kit/web/form/unsaved.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { forgetDraft, inputId, useDraftKey, useForm } from '#kit/web/form/use-form.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { useSave } from '#kit/web/form/use-save.ts'
import { APPLY } from './dictionaries.ts'
import { payApply } from './pay-apply.resource.ts'
import { MissingNote } from './pay-apply-missing.tsx'
import './merchants.css'

type Row = WireRow<typeof payApply>

const MergeDialog = lazy(() => import('#kit/web/form/merge-dialog.tsx'))

const words = {
  title: { zh: '特约商户进件', en: 'Application of a merchant' },
  refused: { zh: '支付平台驳回了这些内容', en: 'The payment platform refused this' },
  save: { zh: '保存草稿', en: 'Save the draft' },
  saved: { zh: '草稿已保存', en: 'The draft is saved' },
  back: { zh: '返回', en: 'Back' },
  edit: { zh: '修改', en: 'Change' },
} satisfies Record<string, Words>

const isAgent = (values: { contactType?: unknown }) => values.contactType === 'SUPER'
const layout: LayoutOf<typeof payApply> = [
  { title: payApply.fields.merchantId.group, fields: ['merchantId'] },
  {
    title: payApply.fields.contactName.group,
    fields: ['contactType', 'contactName', 'contactIdNumber', 'mobilePhone', 'contactEmail'],
  },
  { fields: ['contactIdCopy', 'contactIdCopyBack', 'contactLetter'], when: isAgent },
]

/** An application on a page of its own: /pay/payApplyEdit/{merchantId}/{id}/{add|edit|view}. */
export default function PayApplyEditPage() {
  const { merchantId = '', id = '0', type = 'view' } = useParams()
  const say = useSay()
  const isNew = type === 'add' || id === '0'
  const { data: row, error, refetch, isFetching } = useDetail(payApply, isNew ? undefined : id)
  useTabTitle(row ? `${say(words.title)} ${String(row.merchantShortname || row.businessCode)}` : say(words.title))
  if (error && !row) return <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!isNew && !row)
    return (
      <div className="kit-page">
        <Skeleton active paragraph={{ rows: 12 }} />
      </div>
    )
  const isOpen = isNew || row!.status === APPLY.draft || row!.status === APPLY.rejected
  if (type === 'view' || !isOpen) return <View row={row!} isOpen={isOpen} merchantId={merchantId} />
  return <Opened key={id} row={row} isFresh={isNew || !isFetching} merchantId={merchantId} />
}

/** The form works on the row as it was when it was opened; the page goes on being fetched beneath it. */
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

type Refused = { field?: string; field_name?: string; reject_reason?: string }

function View({ row, isOpen, merchantId }: { row: Row; isOpen: boolean; merchantId: string }) {
  const say = useSay()
  const navigate = useNavigate()
  const may = useMay(payApply)
  const refused = (Array.isArray(row.auditDetail) ? row.auditDetail : []) as Refused[]
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{say(words.title)}</h1>
        <p className="kit-title-of">
          {String(row.merchantShortname)} · {String(row.businessCode)}
        </p>
        <span className="kit-grow" />
        <HistoryButton resource={payApply} row={row} />
      </header>
      <div className="merchant-apply">
        {refused.length > 0 && (
          <Alert
            type="error"
            showIcon
            title={say(words.refused)}
            description={
              <ul className="merchant-missing">
                {refused.map((one, at) => (
                  <li key={at}>
                    {one.field_name ?? one.field}：{one.reject_reason}
                  </li>
                ))}
              </ul>
            }
          />
        )}
        {isOpen && <MissingNote row={row} />}
        <DetailView resource={payApply} row={row} />
        <footer className="kit-drawer-foot">
          <Button onClick={() => void navigate(`/pay/payApply/${merchantId}`)}>{say(words.back)}</Button>
          {isOpen && may.edit && (
            <Button
              type="primary"
              onClick={() => void navigate(`/pay/payApplyEdit/${merchantId}/${String(row.id)}/edit`)}
            >
              {say(words.edit)}
            </Button>
          )}
        </footer>
      </div>
    </div>
  )
}

/** A draft while it is written; saved, it is looked at. */
function useApply(row: Row | undefined, merchantId: string) {
  const say = useSay()
  const navigate = useNavigate()
  const { key: tab } = useTab()
  const draftKey = useDraftKey(payApply.name, row?.id)
  const form = useForm({
    fields: payApply.fields,
    mode: row ? 'edit' : 'add',
    row,
    preset: row ? undefined : { merchantId: merchantId === '0' ? '' : merchantId },
    draftKey,
    layout,
  })
  const save = useSave({
    resource: payApply,
    id: row && String(row.id),
    form,
    said: words.saved,
    done: (id) => {
      forgetDraft(draftKey)
      void navigate(`/pay/payApplyEdit/${merchantId}/${id}/view`, { replace: true })
    },
  })
  useUnsaved(form.changed.length > 0, say(payApply.label), tab)
  return { form, save }
}

function Edit({ row, merchantId }: { row?: Row; merchantId: string }) {
  const say = useSay()
  const navigate = useNavigate()
  const { form, save } = useApply(row, merchantId)
  const goTo = (key: string) => {
    const input = document.getElementById(inputId(form.id, key))
    input?.scrollIntoView({ block: 'center' })
    input?.focus({ preventScroll: true })
  }
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{say(words.title)}</h1>
        <p>{String(row?.businessCode ?? '')}</p>
      </header>
      <form
        className="merchant-apply"
        onSubmit={(event) => {
          event.preventDefault()
          void save.go()
        }}
      >
        <MissingNote row={{ ...row, ...form.values }} onGo={goTo} />
        <DraftNote form={form} />
        {save.problem && <Alert type="error" showIcon title={save.problem} />}
        <EditForm form={form} layout={layout} />
        <footer className="kit-drawer-foot">
          <span className="kit-bad" aria-live="polite">
            {form.errorCount > 0 && say(kit.fixErrors, { count: form.errorCount })}
          </span>
          <Button onClick={() => void navigate(`/pay/payApply/${merchantId}`)}>{say(kit.cancel)}</Button>
          <Button type="primary" htmlType="submit" loading={save.isSaving}>
            {say(words.save)}
          </Button>
        </footer>
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
