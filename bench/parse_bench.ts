/**
 * Parsing by `deno bench`, warm: the engine's own ways, a peer, and parseBinary. Documents of the
 * shared corpus join where they may be read. The runner takes the contestants one after the other;
 * `deno task bench compare` lets them take turns, which ratios of a noisy machine need.
 *
 * @module
 */

import { native, parser, response } from "../measure/contestants.ts";
import { sample } from "./sample.ts";
import { readableCorpus } from "./support/corpus.ts";
import { generate, generatedDocuments, type Kind } from "./support/documents.ts";
import { benchWarm } from "./support/groups.ts";
import { loadPeer } from "./support/peer.ts";

/** Kinds of generated documents, from the best to the worst for parseBinary. */
const GENERATED: Kind[] = ["floats of 17 digits", "records", "sentences", "accented text"];
/** Files of the corpus: social media, a catalogue, coordinates, Chinese text. */
const CORPUS = ["twitter.json", "citm_catalog.json", "canada.json", "poet_zh.json"];

const peer = await loadPeer();
const contestants = [native, response, ...(peer ? [peer] : []), parser];

benchWarm({ name: "page of orders", parts: [new TextEncoder().encode(sample())] }, contestants);
for (const { group, name, parts } of generatedDocuments()) {
  if (group === "payload") benchWarm({ name: "request body", parts }, contestants);
  if (group === "failure") {
    benchWarm({ name: `not JSON, bad ${name.replace(/ of .*/, "")}`, parts }, contestants);
  }
}
for (const kind of GENERATED) benchWarm({ name: kind, parts: [generate(kind)] }, contestants);
for (const document of readableCorpus(CORPUS)) benchWarm(document, contestants);
