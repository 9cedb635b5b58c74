import { Alert, Button, Modal } from 'antd'
import { copyToClipboard, CopyableText } from '#kit/web/parts/copyable.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'

const words = {
  title: { zh: '初始密码', en: 'Initial passwords' },
  once: {
    zh: '密码只显示这一次。请交给本人，首次登录后修改。',
    en: 'The passwords are shown only once. Hand them to their owners, who change them at first sign-in.',
  },
  copyAll: { zh: '复制全部', en: 'Copy all' },
  done: { zh: '已交给本人', en: 'Handed over' },
}

/** An account with its initial password, as the API returns it. */
export type IssuedPasswordWire = { account: string; realName: string; password: string }

const nameOf = ({ account, realName }: IssuedPasswordWire) => (realName ? `${realName} (${account})` : account)

/** Shows the initial passwords of created or reset accounts; they cannot be shown again. */
export default function IssuedPasswordsDialog({
  given,
  onClose,
}: {
  given: readonly IssuedPasswordWire[]
  onClose: () => void
}) {
  const t = useLocalize()
  const all = given.map((one) => `${nameOf(one)}: ${one.password}`).join('\n')
  return (
    <Modal
      open
      title={t(words.title)}
      width={460}
      onCancel={onClose}
      mask={{ closable: false }}
      keyboard={false}
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
      <dl className="kit-facts first-passwords">
        {given.map((one) => (
          <div key={one.account} className="kit-fact kit-fact-wide">
            <dt>{nameOf(one)}</dt>
            <dd>
              <CopyableText text={one.password} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
