import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Form, Input, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { words } from './work-words.ts'
import './workflow.css'

type Colleague = { id: string; account: string; realName?: string; name?: string }
type LeaveFormValues = { taskUser: string; startTime: Dayjs; endTime: Dayjs; reason: string }

/** Returns a colleague's name, with the account if the user may see accounts. */
const nameOf = ({ realName, name, account }: Colleague) => {
  const called = realName || name || account
  return called === account ? called : `${called}（${account}）`
}

const TEXT = 'YYYY-MM-DD HH:mm:ss'

const useColleagues = () =>
  useQuery({
    queryKey: ['user-list'],
    queryFn: ({ signal }) => apiGet<Colleague[]>('/api/blade-user/user-list', {}, { signal }),
  })

/** Requests leave, at /work/process/leave/form/{processDefinitionId}. */
export default function LeaveFormPage() {
  const { processDefinitionId = '' } = useParams()
  const t = useLocalize()
  const navigate = useNavigate()
  const { close } = useTab()
  useTabTitle(t(words.leave))
  const [isBusy, setBusy] = useState(false)
  const colleagues = useColleagues()
  const send = async ({ startTime, endTime, ...rest }: LeaveFormValues) => {
    setBusy(true)
    try {
      const body = { ...rest, processDefinitionId, startTime: startTime.format(TEXT), endTime: endTime.format(TEXT) }
      await apiPost('/api/blade-desk/process/leave/start-process', { body })
      toast.success(t(words.asked))
      close()
      void navigate('/work/send')
    } catch {
      // The client shows a toast; the user's input stays.
    }
    setBusy(false)
  }
  const rules = [{ required: true, message: t(words.needed) }]
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(words.leave)}</h1>
      </header>
      <Form<LeaveFormValues>
        className="work-form"
        layout="vertical"
        initialValues={{ startTime: dayjs().add(1, 'day').startOf('day').hour(9) }}
        onFinish={(given) => void send(given)}
      >
        <Form.Item name="taskUser" label={t(words.approver)} rules={rules}>
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            loading={colleagues.isFetching}
            options={(colleagues.data ?? []).map((one) => ({
              value: one.id,
              label: nameOf(one),
            }))}
          />
        </Form.Item>
        <Form.Item name="startTime" label={t(words.from)} rules={rules}>
          <DatePicker showTime className="kit-fill" />
        </Form.Item>
        <Form.Item name="endTime" label={t(words.until)} rules={rules}>
          <DatePicker showTime className="kit-fill" />
        </Form.Item>
        <Form.Item name="reason" label={t(words.reason)} rules={rules}>
          <Input.TextArea rows={4} maxLength={500} showCount />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={isBusy}>
          {t(words.submit)}
        </Button>
      </Form>
    </div>
  )
}
