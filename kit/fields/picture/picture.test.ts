import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { pictureKind } from './picture.ts'

fieldKindContract(pictureKind, {
  accepts: [
    ['/files/a.png', '/files/a.png'],
    ['https://cdn.example.com/a.png', 'https://cdn.example.com/a.png'],
    [' /a.png ', '/a.png'],
    ['/files/a.JPG?v=1', '/files/a.JPG?v=1'],
    ['/files/12', '/files/12'],
  ],
  refuses: [
    ['javascript:alert(1)', 'not_a_link'],
    ['data:image/png;base64,AA', 'not_a_link'],
    ['//evil.example', 'not_a_link'],
    ['a.png', 'not_a_link'],
    ['/a b.png', 'not_a_link'],
    ['/files/a.txt', 'not_a_picture'],
    ['/files/a.png.csv?x=.png', 'not_a_picture'],
    [{}, 'not_text'],
    [`/${'x'.repeat(1000)}`, 'too_long'],
  ],
  empty: '',
})
