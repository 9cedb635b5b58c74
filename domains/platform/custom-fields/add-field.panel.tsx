import { Button } from 'antd'
import { useNavigate } from 'react-router'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { useCan } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { ownField } from './own-field.resource.ts'

const words = { add: { zh: '添加字段', en: 'Add field' } }

/** From a list's columns to the fields of its family, for who may add some. */
export default function AddField({ resource }: { resource: Resource<any, any> }) {
  const t = useLocalize()
  const go = useNavigate()
  const mayAdd = useCan('ownField_add')
  const path = usePathOf(ownField.name)
  if (!mayAdd || !path || !resource.ownFields) return null
  return (
    <Button
      type="link"
      size="small"
      icon={<Icon name="plus" />}
      onClick={() => void go(`${path}?family_equal=${resource.name}`)}
    >
      {t(words.add)}
    </Button>
  )
}
