import { useQuery } from '@tanstack/react-query'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import { Button, Input, Modal, Select, Skeleton, Upload } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { toProcessForms, type ProcessForm } from './forms.ts'
import { createBlankProcessXml } from './blank-process.ts'
import { words } from './design-words.ts'
import { useBpmnEditor } from './drawing.ts'
import { BpmnElementProperties } from './properties.tsx'
import './diagram.css'
import './design.css'

const FormDesigner = lazy(() => import('./form-designer.tsx'))

type Model = { id: string; name: string; modelKey: string; modelEditorXml: string; forms: unknown; version?: number }
const NEW = 'new'

/** Designs a process, at /flow/design/{modelId} or /new. */
export default function ProcessDesignPage() {
  const { modelId = NEW } = useParams()
  const t = useLocalize()
  const isNew = modelId === NEW
  const { data, error, refetch } = useQuery({
    queryKey: ['flow-design', modelId],
    queryFn: ({ signal }) => apiGet<Model>('/api/blade-flow/model/detail', { id: modelId }, { quiet: true, signal }),
    enabled: !isNew,
    staleTime: Infinity,
    gcTime: 0,
  })
  const [fresh] = useState<Model>(() => {
    const modelKey = `process_${Date.now().toString(36)}`
    return { id: '', name: '', modelKey, modelEditorXml: createBlankProcessXml(modelKey, t(words.sign)), forms: [] }
  })
  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
  const model = isNew ? fresh : data
  return model ? <Designer key={model.id} model={model} /> : <Skeleton active paragraph={{ rows: 10 }} />
}

function Designer({ model }: { model: Model }) {
  const t = useLocalize()
  const [name, setName] = useState(model.name)
  const [forms, setForms] = useState<ProcessForm[]>(() => toProcessForms(model.forms))
  const [given, setGiven] = useState(model.modelEditorXml)
  const [failed, setFailed] = useState<Error>()
  const [openDialog, setOpenDialog] = useState<'forms' | 'deploy'>()
  const { place, drawing } = useBpmnEditor(given, setFailed)
  useTabTitle(name || t(words.title))
  const { save, isBusy } = useSaving(model, { name, forms, xml: drawing.xml })

  return (
    <div className="kit-page flow-design">
      <header className="kit-title flow-design-head">
        <Input
          aria-label={t(words.modelName)}
          placeholder={t(words.modelName)}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
        />
        <FileButtons
          name={model.modelKey}
          xml={drawing.xml}
          onOpened={(xml) => {
            setFailed(undefined)
            setGiven(xml)
          }}
        />
        <Button onClick={() => setOpenDialog('forms')}>{t(words.forms)}</Button>
        <Button loading={isBusy} onClick={() => void save()}>
          {t(words.save)}
        </Button>
        <Button type="primary" loading={isBusy} onClick={() => setOpenDialog('deploy')}>
          {t(words.deploy)}
        </Button>
      </header>
      {failed && <ErrorNote title={t(words.failed)} error={failed} retry={() => setFailed(undefined)} />}
      <div className="flow-design-body">
        <div ref={place} className="flow-canvas" />
        <aside aria-label={t(words.properties)}>
          <BpmnElementProperties drawing={drawing} forms={forms} />
        </aside>
      </div>
      <Suspense>
        {openDialog === 'forms' && (
          <FormDesigner forms={forms} onChange={setForms} onClose={() => setOpenDialog(undefined)} />
        )}
        {openDialog === 'deploy' && <DeployDialog save={save} onClose={() => setOpenDialog(undefined)} />}
      </Suspense>
    </div>
  )
}

type Work = { name: string; forms: ProcessForm[]; xml: () => Promise<string> }

/** Saves the drawing. The server refuses a process that cannot run, naming the faults, and stores nothing. */
function useSaving(model: Model, { name, forms, xml }: Work) {
  const t = useLocalize()
  const navigate = useNavigate()
  const { close } = useTab()
  const [isBusy, setBusy] = useState(false)
  const [version, setVersion] = useState(model.version)
  const save = async (): Promise<string | undefined> => {
    if (!name.trim()) {
      toast.warning(t(words.needsName))
      return undefined
    }
    setBusy(true)
    try {
      const own = model.id ? { id: model.id, version } : {}
      const body = { ...own, name: name.trim(), modelKey: model.modelKey, modelEditorXml: await xml(), forms }
      const saved = await apiPost<{ id: string; version: number }>('/api/blade-flow/model/submit', { body })
      setVersion(saved.version)
      toast.success(t(words.saved))
      if (!model.id) {
        close()
        void navigate(`/flow/design/${saved.id}`)
      }
      return saved.id
    } catch {
      // The client shows a toast; the drawing stays.
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { save, isBusy }
}

function DeployDialog({ save, onClose }: { save: () => Promise<string | undefined>; onClose: () => void }) {
  const t = useLocalize()
  const [category, setCategory] = useState('2')
  const [isBusy, setBusy] = useState(false)
  const { choices } = useDictionary('flow')

  const deploy = async () => {
    setBusy(true)
    const modelId = await save()
    if (modelId)
      try {
        const query = { modelId, category: `flow_${category}`, tenantIds: '' }
        const { remarks = [] } = await apiPost<{ remarks?: LocalizedText[] }>('/api/blade-flow/model/deploy', { query })
        toast.success(t(words.deployed))
        for (const remark of remarks) toast.warning(t(remark))
        onClose()
      } catch {
        // Shown as a toast.
      }
    setBusy(false)
  }

  return (
    <Modal
      open
      title={t(words.deploy)}
      okText={t(words.deploy)}
      cancelText={t(words.cancel)}
      confirmLoading={isBusy}
      onOk={() => void deploy()}
      onCancel={onClose}
    >
      <label className="flow-property">
        <span>{t(words.category)}</span>
        <Select
          value={category}
          onChange={setCategory}
          options={choices.map((one) => ({ value: one.key, label: one.label }))}
        />
      </label>
    </Modal>
  )
}

type FileProps = { name: string; xml: () => Promise<string>; onOpened: (xml: string) => void }

function FileButtons({ name, xml, onOpened }: FileProps) {
  const t = useLocalize()
  const download = async () => {
    const url = URL.createObjectURL(new Blob([await xml()], { type: 'application/xml' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.bpmn20.xml`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <>
      <Upload
        accept=".bpmn,.xml"
        showUploadList={false}
        beforeUpload={(file) => {
          void file.text().then(onOpened)
          return false
        }}
      >
        <Button>{t(words.file)}</Button>
      </Upload>
      <Button onClick={() => void download()}>{t(words.export)}</Button>
    </>
  )
}
