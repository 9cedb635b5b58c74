import { Alert, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { BACKGROUND_TASKS_LABEL, type WireRow } from '#kit/resource/index.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizeFunction } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { tenantRemoval } from './tenant-removal.resource.ts'
import { tenant } from './tenant.resource.ts'

const words = {
  archive: { zh: '导出 {name} 的全部数据', en: 'Export all data of {name}' },
  archiveWhat: {
    zh:
      '生成一个压缩包：每张表在同一时刻的全部行、所有文件和带校验和的清单。密码、密钥和登录凭证不在其中。' +
      `在后台进行，完成后在右上角“${BACKGROUND_TASKS_LABEL.zh}”下载。`,
    en:
      'Makes one archive: all rows of every table as of one moment, all files, and a manifest with checksums. ' +
      'Passwords, keys and sign-ins are not in it. It goes on in the background; ' +
      `fetch it from “${BACKGROUND_TASKS_LABEL.en}” at the top.`,
  },
  archiveGo: { zh: '开始导出', en: 'Start export' },
  archiveAsked: {
    zh: `已开始导出，可在“${BACKGROUND_TASKS_LABEL.zh}”查看进度`,
    en: `Under way: see “${BACKGROUND_TASKS_LABEL.en}”`,
  },
  leave: { zh: '彻底删除 {name}', en: 'Permanently delete {name}' },
  leaveWhat: {
    zh: '等待期过后，这个租户的全部数据、文件、账号和日志将永久删除，不能恢复，只留下一份删除证明。等待期内可在“租户注销”中取消。租户要先过期。建议先导出全部数据。',
    en:
      'After the waiting period, all data, files, accounts and logs of this tenant are permanently ' +
      'deleted and cannot be restored. Only a deletion certificate remains. You can cancel it under ' +
      '“Tenant deletions” meanwhile. The tenant must have expired. Export its data first.',
  },
  type: { zh: '请输入租户编号 {tenantId} 确认', en: 'Enter tenant number {tenantId} to confirm' },
  leaveGo: { zh: '申请注销', en: 'Request deletion' },
  leaveAsked: { zh: '已申请，将于 {dueTime} 删除', en: 'Requested. It will be deleted on {dueTime}.' },
}

type Props = { kind: 'archive' | 'leave'; row: WireRow<typeof tenant>; onClose: () => void }

/** Dialog to export a tenant's data or to request its deletion. */
export default function TenantExportOrRemovalDialog({ kind, row, onClose }: Props) {
  const t = useLocalize()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const tenantId = String(row.tenantId)
  const isLeaving = kind === 'leave'
  const isReady = !isLeaving || typed.trim() === tenantId

  const go = async () => {
    setIsBusy(true)
    try {
      toast.success(isLeaving ? await askRemoval(tenantId, t) : await askArchive(tenantId, t))
      onClose()
    } catch {
      // The client has shown the refusal.
      setIsBusy(false)
    }
  }

  return (
    <Modal
      open
      title={t(words[kind], { name: String(row.tenantName) })}
      width={500}
      onCancel={onClose}
      okText={t(isLeaving ? words.leaveGo : words.archiveGo)}
      okButtonProps={{ danger: isLeaving, disabled: !isReady, loading: isBusy }}
      onOk={() => void go()}
    >
      <Alert
        className="kit-note"
        type={isLeaving ? 'error' : 'info'}
        showIcon
        title={t(isLeaving ? words.leaveWhat : words.archiveWhat)}
      />
      {isLeaving && (
        <div className="kit-field kit-field-wide">
          <label htmlFor={id}>{t(words.type, { tenantId })}</label>
          <Input
            id={id}
            value={typed}
            autoFocus
            autoComplete="off"
            inputMode="numeric"
            maxLength={20}
            onChange={(event) => setTyped(event.target.value)}
            onPressEnter={() => void (isReady && go())}
          />
        </div>
      )}
    </Modal>
  )
}

async function askArchive(tenantId: string, t: LocalizeFunction): Promise<string> {
  await apiPost(`${tenant.path}/archive`, { body: { tenantId } })
  return t(words.archiveAsked)
}

async function askRemoval(tenantId: string, t: LocalizeFunction): Promise<string> {
  const { dueTime } = await apiPost<{ dueTime: string }>(`${tenantRemoval.path}/ask`, {
    body: { tenantId, confirm: tenantId },
  })
  return t(words.leaveAsked, { dueTime })
}
