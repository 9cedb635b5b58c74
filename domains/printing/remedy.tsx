import { Alert } from 'antd'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Words } from '#kit/resource/words.ts'
import { DetailView } from '#kit/web/detail/detail-view.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { useSay } from '#kit/web/language.tsx'
import './printing.css'

type Props = { resource: Resource<any, any>; row: Row; words: Words | undefined }

/** The facts of a row below what to do about it, where there is something to do. */
export function WithRemedy({ resource, row, words }: Props) {
  const say = useSay()
  return (
    <>
      {words && <Alert type="warning" showIcon title={say(words)} className="print-remedy" />}
      <DetailView resource={resource} row={row} />
    </>
  )
}
