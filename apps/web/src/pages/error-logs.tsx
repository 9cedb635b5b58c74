import { App, Button, Empty, Table } from 'antd'
import { t as words, useShellTranslation } from '../words/index.ts'
import { clearErrorLog, uploadErrorLog, useErrorLog, type ErrorLogEntry } from '../shell/error-log.ts'
import { toast } from '#kit/web/base/toast.ts'
import { Icon } from '#kit/web/theme/icon.tsx'

const columns = () => [
  { dataIndex: 'type', title: words('logs.type'), width: 90 },
  { dataIndex: 'url', title: words('logs.address'), width: 220, ellipsis: true },
  { dataIndex: 'message', title: words('logs.content'), width: 260, ellipsis: true },
  { dataIndex: 'stack', title: words('logs.stack'), ellipsis: true },
  { dataIndex: 'time', title: words('logs.time'), width: 180 },
]

/** Page of the errors recorded in this browser, which the user can send to the server or clear. */
export default function ErrorLogPage() {
  const t = useShellTranslation()
  const { modal } = App.useApp()
  const entries = useErrorLog((log) => log.entries)
  const upload = () =>
    modal.confirm({
      title: t('tip'),
      content: t('logs.askUpload'),
      onOk: async () => {
        await uploadErrorLog()
        toast.success(t('logs.sent'))
      },
    })
  const clear = () =>
    modal.confirm({
      title: t('tip'),
      content: t('logs.askClear'),
      onOk: () => {
        clearErrorLog()
        toast.success(t('logs.cleared'))
      },
    })

  return (
    <div className="plain-page">
      <header>
        <h1>{t('logs')}</h1>
        <div>
          <Button type="primary" icon={<Icon name="cloud-upload" />} disabled={!entries.length} onClick={upload}>
            {t('logs.upload')}
          </Button>
          <Button danger icon={<Icon name="delete" />} disabled={!entries.length} onClick={clear}>
            {t('logs.clear')}
          </Button>
        </div>
      </header>
      <Table<ErrorLogEntry & { key: number }>
        size="middle"
        columns={columns()}
        pagination={false}
        scroll={{ x: 960 }}
        dataSource={entries.map((entry, key) => ({ ...entry, key }))}
        expandable={{
          expandRowByClick: true,
          expandedRowRender: (entry) => <pre className="stack">{`${entry.stack}\n${entry.info}`.trim()}</pre>,
        }}
        locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('logs.none')} /> }}
      />
    </div>
  )
}
