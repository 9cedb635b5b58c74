import { Button } from 'antd'
import { useNavigate } from 'react-router'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { ownField } from './own-field.resource.ts'

const words = { add: { zh: '添加字段', en: 'Add field' } }

/** Link from a list's column settings to the custom fields of its resource; hidden from users who may not add any. */
export default function AddCustomFieldButton({ resource }: { resource: Resource<any, any> }) {
  const t = useLocalize()
  const go = useNavigate()
  const mayAdd = useHasPermission('ownField_add')
  const path = useResourcePath(ownField.name)
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
