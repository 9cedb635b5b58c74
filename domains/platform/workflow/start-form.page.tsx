import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useNavigate, useParams } from 'react-router'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useFormSubmit } from '#kit/web/form/use-send.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { processFormToFields, type ProcessForm } from './forms.ts'
import { words } from './work-words.ts'
import './workflow.css'

type Start = { name: string; form: ProcessForm | null }

/** Starts a process without pages of its own, at /work/process/form/{processDefinitionId}. */
export default function StartFormPage() {
  const { processDefinitionId = '' } = useParams()
  const t = useLocalize()
  const { data, error, refetch } = useQuery({
    queryKey: ['flow-start', processDefinitionId],
    queryFn: ({ signal }) =>
      apiGet<Start>('/api/blade-flow/work/start-form', { processDefinitionId }, { quiet: true, signal }),
  })
  useTabTitle(data?.name)
  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{data.name}</h1>
      </header>
      <StartFormBody key={processDefinitionId} start={data} processDefinitionId={processDefinitionId} />
    </div>
  )
}

function StartFormBody({ start, processDefinitionId }: { start: Start; processDefinitionId: string }) {
  const t = useLocalize()
  const navigate = useNavigate()
  const { close } = useTab()
  const form = useForm({ fields: processFormToFields(start.form ?? undefined), mode: 'add' })
  const { send, isSending } = useFormSubmit(form, async () => {
    const body = { processDefinitionId, variables: form.payload() }
    await apiPost('/api/blade-flow/work/start-process', { body }, { quiet: true })
    toast.success(t(words.asked))
    close()
    void navigate('/work/send')
  })
  return (
    <form
      className="work-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <EditForm form={form} />
      <Button type="primary" htmlType="submit" loading={isSending}>
        {t(words.submit)}
      </Button>
    </form>
  )
}
