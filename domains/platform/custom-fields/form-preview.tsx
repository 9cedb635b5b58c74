import { Alert } from 'antd'
import { customFieldToField, type Fields } from '#kit/resource/index.ts'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import { useSession } from '#kit/web/session/session.ts'

const words = {
  title: { zh: '表单预览：{family}', en: 'Form preview: {family}' },
  note: {
    zh: '自定义字段在“{family}”表单末尾这样显示；此处填写的内容不会保存',
    en: 'Custom fields appear like this at the end of the “{family}” form. Entries made here are not saved.',
  },
  none: { zh: '表单中没有自定义字段', en: 'No custom fields in the form' },
}

/** Previews the custom fields of a resource in its form. */
export default function CustomFieldsFormPreview({
  family,
  name,
  onClose,
}: {
  family: string
  name: string
  onClose: () => void
}) {
  const t = useLocalize()
  return (
    <Drawer open title={t(words.title, { family: name })} size={760} onClose={onClose} className="kit-drawer">
      <Preview key={family} family={family} name={name} />
    </Drawer>
  )
}

function Preview({ family, name }: { family: string; name: string }) {
  const t = useLocalize()
  const own = useSession((session) => session.own[family])
  if (!own?.some(({ inForm }) => inForm)) return <EmptyStateNote icon="form" title={t(words.none)} />
  const fields = Object.fromEntries(own.map((one) => [one.key, customFieldToField(one)]))
  return (
    <>
      <Alert className="kit-note" type="info" showIcon title={t(words.note, { family: name })} />
      <TryForm key={JSON.stringify(own)} fields={fields} />
    </>
  )
}

function TryForm({ fields }: { fields: Fields }) {
  const form = useForm({ fields, mode: 'add' })
  return <EditForm form={form} />
}
