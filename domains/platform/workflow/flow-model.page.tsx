import { Button } from 'antd'
import { Link } from 'react-router'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { words } from './design-words.ts'
import { flowModel } from './flow-model.resource.ts'

function DrawButton() {
  const t = useLocalize()
  return (
    <Link to="/flow/design/new">
      <Button>{t(words.title)}</Button>
    </Link>
  )
}

export default createResourcePage(flowModel, {
  intro: {
    zh: '画出流程，部署后就可以发起；点名称打开图',
    en: 'Draw a process. It can be started after deployment. Select a name to open the diagram.',
  },
  toolbar: () => <DrawButton />,
  cells: { name: ({ row }) => <Link to={`/flow/design/${String(row.id)}`}>{String(row.name)}</Link> },
})
