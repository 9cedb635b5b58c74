import { fieldKindContract } from '#tests/support/field-kind-contract.ts'
import { urlKind } from './url.ts'

fieldKindContract(urlKind, {
  accepts: [
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['https://例子.中国/路', 'https://例子.中国/路'],
  ],
  refuses: [
    ['ftp://example.com', 'not_a_url'],
    ['javascript:alert(1)', 'not_a_url'],
    ['example.com', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https:// a', 'not_a_url'],
    [{}, 'not_text'],
    [`https://e.com/${'x'.repeat(1000)}`, 'too_long'],
  ],
  empty: '',
})
