import type { WireRow } from '#kit/resource/index.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { IssueDeviceSecretDialog } from '#domains/devices/device-messaging/ui.ts'
import { cashRegister } from './cash-register.resource.ts'

const words = {
  address: { zh: '服务器地址', en: 'Server address' },
  sn: { zh: '序列号（用户名）', en: 'Serial number (user name)' },
  secret: { zh: '密钥（密码）', en: 'Secret (password)' },
}

/** Issues or rotates the credentials of a register and shows them, once. */
export default function IssueRegisterKeyDialog({
  register,
  onClose,
}: {
  register: WireRow<typeof cashRegister>
  onClose: () => void
}) {
  const renew = useInvalidateResource()
  return (
    <IssueDeviceSecretDialog<{ sn: string; secret: string }>
      name={String(register.name)}
      isAgain={Boolean(register.keyIssuedTime)}
      path={`${cashRegister.path}/issue`}
      id={String(register.id)}
      lines={({ sn, secret }) => [
        { label: words.address, text: location.origin },
        { label: words.sn, text: sn },
        { label: words.secret, text: secret },
      ]}
      onMade={() => void renew(cashRegister)}
      onClose={onClose}
    />
  )
}
