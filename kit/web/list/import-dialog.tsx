import { Alert, Button, Modal, Switch } from 'antd'
import { useState } from 'react'
import { ExcelFileDropZone } from '../parts/file-drop.tsx'
import { apiDownload, apiUpload } from '../http/http.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize, type LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'
import '../parts/parts.css'

const own = {
  template: { zh: '下载模板', en: 'Download template' },
  cover: { zh: '覆盖已有数据', en: 'Overwrite existing data' },
  go: { zh: '开始导入', en: 'Import' },
  failed: { zh: '没有导入任何数据，请按提示修改后重试', en: 'Nothing was imported. Correct the errors and try again.' },
  done: { zh: '导入成功', en: 'Imported' },
  doneCount: { zh: '已导入 {count} 条', en: '{count} imported' },
  wrong: { zh: '请选择 .xlsx 文件', en: 'Select an .xlsx file' },
}

type Props = {
  title: LocalizedText
  /** Path that takes the file, with the query key `isCovered` as 0 or 1. */
  path: string
  query?: Record<string, 1>
  template: string
  /** Explains below the overwrite option what is overwritten. */
  cover: LocalizedText
  /** Called with the answer, for callers that show more of it than the number of rows. */
  onAnswer?: (answer: unknown) => void
  onClose: (done: boolean) => void
}

/** Splits the message of a refusal into its sentences, one for each row of the sheet. */
const rowsOf = (message: string): string[] =>
  message
    .split(/[;；\n]\s*/)
    .map((part) => part.trim())
    .filter(Boolean)

/**
 * Dialog for an import with its own route that writes at once: offers the template, takes the file and the option to
 * overwrite, and lists the errors by row.
 */
export default function ImmediateImportDialog({ title, path, query, template, cover, onAnswer, onClose }: Props) {
  const t = useLocalize()
  const [isCovered, setCovered] = useState(false)
  const { file, share, problems, take, go } = useImport(path, query, (answer) => {
    onClose(true)
    onAnswer?.(answer)
  })

  return (
    <Modal
      open
      title={t(title)}
      width={560}
      onCancel={() => onClose(false)}
      footer={[
        <Button key="cancel" onClick={() => onClose(false)}>
          {t(words.cancel)}
        </Button>,
        <Button
          key="go"
          type="primary"
          disabled={!file}
          loading={share !== undefined}
          onClick={() => void go(isCovered)}
        >
          {t(own.go)}
        </Button>,
      ]}
    >
      <div className="kit-import">
        <div>
          <Button icon={<Icon name="download" />} onClick={() => void apiDownload(template).catch(() => {})}>
            {t(own.template)}
          </Button>
        </div>
        <ExcelFileDropZone file={file} share={share} onFile={take} />
        <label className="kit-import-cover">
          <Switch checked={isCovered} onChange={setCovered} />{' '}
          <span>
            {t(own.cover)}
            <br />
            <span className="kit-quiet">{t(cover)}</span>
          </span>
        </label>
        {problems.length > 0 && <Problems problems={problems} />}
      </div>
    </Modal>
  )
}

function useImport(path: string, more: Props['query'], onDone: (answer: unknown) => void) {
  const t = useLocalize()
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState<number>()
  const [problems, setProblems] = useState<string[]>([])
  const take = (next: File | undefined) => {
    setProblems([])
    if (next && !/\.xlsx$/i.test(next.name)) return setProblems([t(own.wrong)])
    if (next) setFile(next)
  }
  const go = async (isCovered: boolean) => {
    if (!file) return setProblems([t(own.wrong)])
    setProblems([])
    setShare(0)
    try {
      const query = { ...more, isCovered: isCovered ? 1 : 0 }
      const answer = await apiUpload<{ count?: number } | undefined>(path, file, {
        query,
        quiet: true,
        onProgress: setShare,
      })
      toast.success(typeof answer?.count === 'number' ? t(own.doneCount, { count: answer.count }) : t(own.done))
      onDone(answer)
    } catch (reason) {
      setProblems(rowsOf((reason as Error).message))
    } finally {
      setShare(undefined)
    }
  }
  return { file, share, problems, take, go }
}

function Problems({ problems }: { problems: string[] }) {
  const t = useLocalize()
  return (
    <div role="alert">
      <Alert type="error" showIcon title={t(own.failed)} className="kit-note" />
      <ol>
        {problems.map((problem, index) => (
          <li key={index}>{problem}</li>
        ))}
      </ol>
    </div>
  )
}
