import { Alert, Button, Modal } from 'antd'
import { copyToClipboard, CopyableText } from '#kit/web/parts/copyable.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'

const words = {
  title: { zh: '租户已建立', en: 'Tenant created' },
  once: {
    zh: '密码只在这里显示一次。请交给租户管理员，首次登录时要修改。',
    en: 'The password is shown only once. Give it to the tenant administrator, who must change it at first sign-in.',
  },
  tenantId: { zh: '租户编号', en: 'Tenant' },
  account: { zh: '账号', en: 'Account' },
  password: { zh: '密码', en: 'Password' },
  copyAll: { zh: '复制全部', en: 'Copy all' },
  done: { zh: '已交给管理员', en: 'Handed to the administrator' },
}

const SHOWN = ['tenantId', 'account', 'password'] as const

/** Response to the creation of a tenant. */
export type TenantCreationResult = { [key in (typeof SHOWN)[number]]?: unknown }

/** Shows a new tenant's sign-in data; the password cannot be shown again. */
export default function TenantCreatedDialog({
  answer,
  onClose,
}: {
  answer: TenantCreationResult
  onClose: () => void
}) {
  const t = useLocalize()
  const all = SHOWN.map((key) => `${t(words[key])}: ${String(answer[key])}`).join('\n')
  return (
    <Modal
      open
      title={t(words.title)}
      width={460}
      onCancel={onClose}
      footer={[
        <Button key="copy" onClick={() => void copyToClipboard(all).then(() => toast.success(t(kit.copied)))}>
          {t(words.copyAll)}
        </Button>,
        <Button key="done" type="primary" autoFocus onClick={onClose}>
          {t(words.done)}
        </Button>,
      ]}
    >
      <Alert className="kit-note" type="warning" showIcon title={t(words.once)} />
      <dl className="kit-facts">
        {SHOWN.map((key) => (
          <div key={key} className="kit-fact kit-fact-wide">
            <dt>{t(words[key])}</dt>
            <dd>
              <CopyableText text={String(answer[key])} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
