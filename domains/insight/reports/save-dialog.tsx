import { Input, Modal, Segmented } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import type { ReportQuery, WireRow } from '#kit/resource/index.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { reportView } from './report-view.resource.ts'
import { words } from './report-words.ts'

type Row = WireRow<typeof reportView>
export type ReportDraft = Pick<Row, 'name' | 'heading' | 'footer'> & {
  roleId: string
  paper: string
  id?: string
  version?: number
}

const { fields } = reportView

const Line = ({
  id,
  label,
  help,
  children,
}: {
  id: string
  label: LocalizedText
  help?: LocalizedText
  children: ReactNode
}) => {
  const t = useLocalize()
  return (
    <div className="report-box">
      <label htmlFor={id}>{t(label)}</label>
      {children}
      {help && <small className="kit-quiet">{t(help)}</small>}
    </div>
  )
}

/** Dialog for the name, sharing and print settings of a report. */
export default function SaveReportDialog(props: {
  question: ReportQuery
  start: ReportDraft
  onClose: (id?: string) => void
}) {
  const t = useLocalize()
  const [kept, setKept] = useState(props.start)
  const [isSaving, setSaving] = useState(false)
  const set = (change: Partial<ReportDraft>) => setKept((before) => ({ ...before, ...change }))
  const save = async () => {
    setSaving(true)
    try {
      const saved = await apiPost<{ id: string }>(`${reportView.path}/submit`, {
        body: { ...kept, question: props.question },
      })
      toast.success(t(words.saved))
      props.onClose(saved.id)
    } catch {
      setSaving(false)
    }
  }
  return (
    <Modal
      open
      title={t(props.start.id || !props.start.name ? words.save : words.saveAs)}
      okText={t(words.save)}
      okButtonProps={{ disabled: !kept.name.trim() }}
      confirmLoading={isSaving}
      onOk={() => void save()}
      onCancel={() => props.onClose()}
    >
      <KeptFields kept={kept} set={set} />
    </Modal>
  )
}

function KeptFields({ kept, set }: { kept: ReportDraft; set: (change: Partial<ReportDraft>) => void }) {
  const t = useLocalize()
  const id = useId()

  return (
    <div className="report-boxes report-save">
      <Line id={`${id}name`} label={fields.name.label}>
        <Input
          id={`${id}name`}
          autoFocus
          value={kept.name}
          maxLength={60}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Line>
      <Line id={`${id}role`} label={fields.roleId.label}>
        <RowPicker
          id={`${id}role`}
          to="role"
          value={kept.roleId}
          placeholder={t(fields.roleId.emptyLabel!)}
          onChange={(roleId) => set({ roleId })}
        />
      </Line>
      <Line id={`${id}heading`} label={fields.heading.label} help={fields.heading.help}>
        <Input
          id={`${id}heading`}
          value={kept.heading}
          maxLength={60}
          onChange={(event) => set({ heading: event.target.value })}
        />
      </Line>
      <Line id={`${id}footer`} label={fields.footer.label}>
        <Input
          id={`${id}footer`}
          value={kept.footer}
          maxLength={100}
          onChange={(event) => set({ footer: event.target.value })}
        />
      </Line>
      <Line id={`${id}paper`} label={words.paper}>
        <Segmented
          id={`${id}paper`}
          value={kept.paper || 'portrait'}
          onChange={(paper) => set({ paper })}
          options={[
            { value: 'portrait', label: t({ zh: '纵向', en: 'Portrait' }) },
            { value: 'landscape', label: t({ zh: '横向', en: 'Landscape' }) },
          ]}
        />
      </Line>
    </div>
  )
}
