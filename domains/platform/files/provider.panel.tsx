import { Switch } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import ConfirmDialog from '#kit/web/parts/confirm-dialog.tsx'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'

const words = {
  enable: { zh: '启用', en: 'Activate' },
  disable: { zh: '停用', en: 'Deactivate' },
  on: { zh: '使用中', en: 'Active' },
  off: { zh: '未启用', en: 'Inactive' },
}

const ENABLED = 2

type Props = {
  resource: Resource<any, any>
  row: { id: string; status: number }
  name: string
  enableText: LocalizedText
  disableText?: LocalizedText
}

/** Switch that enables a provider. Asks first, as that disables the others. */
export function ProviderEnableSwitch({ resource, row, name, enableText, disableText }: Props) {
  const t = useLocalize()
  const may = useResourcePermissions(resource)
  const renew = useInvalidateResource()
  const [asking, setAsking] = useState(false)
  const isOn = Number(row.status) === ENABLED
  const mayTurn = isOn ? !!disableText && may.act('disable') : may.act('enable')
  return (
    <span className="kit-switch" onClick={(event) => event.stopPropagation()}>
      <Switch
        size="small"
        checked={isOn}
        disabled={!mayTurn}
        onChange={() => setAsking(true)}
        aria-label={`${t(words.enable)} ${name}`}
      />
      <span>{t(isOn ? words.on : words.off)}</span>
      {asking && (
        <ConfirmDialog
          title={isOn ? words.disable : words.enable}
          text={t(isOn ? disableText! : enableText)}
          names={[name]}
          danger={isOn}
          run={() => apiPost(`${resource.path}/${isOn ? 'disable' : 'enable'}`, { query: { id: row.id } })}
          onClose={(done) => {
            setAsking(false)
            if (done) void renew(resource)
          }}
        />
      )}
    </span>
  )
}
