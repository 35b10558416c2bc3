SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.comparisons (
    study_id integer NOT NULL,
    place integer NOT NULL,
    winner text NOT NULL,
    loser text NOT NULL,
    tie boolean NOT NULL,
    context text NOT NULL,
    winner_proposal text,
    loser_proposal text
);
CREATE TABLE public.constraints (
    study_id integer NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    at_least double precision,
    at_most double precision
);
CREATE TABLE public.counsel_schema (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.decisions (
    study_id integer NOT NULL,
    place integer NOT NULL,
    proposal text NOT NULL,
    decision text NOT NULL,
    point text,
    reason text NOT NULL
);
CREATE TABLE public.explanation_parts (
    study_id integer NOT NULL,
    number integer NOT NULL,
    term text NOT NULL,
    parameter text NOT NULL,
    "position" integer NOT NULL,
    value double precision NOT NULL,
    error double precision NOT NULL
);
CREATE TABLE public.explanation_terms (
    study_id integer NOT NULL,
    number integer NOT NULL,
    term text NOT NULL,
    "position" integer NOT NULL,
    method text NOT NULL,
    base double precision NOT NULL,
    total double precision NOT NULL
);
CREATE TABLE public.explanations (
    study_id integer NOT NULL,
    number integer NOT NULL,
    proposal text,
    actor text NOT NULL,
    "time" timestamp with time zone NOT NULL,
    point text NOT NULL,
    context text NOT NULL,
    background text NOT NULL,
    evaluations bigint NOT NULL,
    note text NOT NULL
);
CREATE TABLE public.facts (
    study_id integer NOT NULL,
    place integer NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    actor text,
    "time" timestamp with time zone NOT NULL,
    request text NOT NULL,
    digest text NOT NULL
);
CREATE TABLE public.leases (
    study_id integer NOT NULL,
    proposal text NOT NULL,
    actor text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.observations (
    study_id integer NOT NULL,
    place integer NOT NULL,
    proposal text,
    point text NOT NULL,
    context text NOT NULL
);
CREATE TABLE public.outcomes (
    study_id integer NOT NULL,
    place integer NOT NULL,
    name text NOT NULL,
    "position" integer NOT NULL,
    value double precision NOT NULL
);
CREATE TABLE public.people (
    name text NOT NULL,
    since timestamp with time zone NOT NULL
);
CREATE TABLE public.proposals (
    study_id integer NOT NULL,
    place integer NOT NULL,
    round integer NOT NULL,
    point text NOT NULL,
    context text NOT NULL,
    asks text NOT NULL,
    mean double precision,
    sd double precision,
    terms text NOT NULL,
    policy text NOT NULL,
    theta text NOT NULL,
    seen integer NOT NULL,
    note text NOT NULL,
    chances text DEFAULT '{}'::text NOT NULL
);
CREATE TABLE public.revisions (
    study_id integer NOT NULL,
    place integer NOT NULL,
    observation text NOT NULL,
    reason text NOT NULL
);
CREATE TABLE public.studies (
    id integer NOT NULL,
    name text NOT NULL,
    objective text NOT NULL,
    direction text NOT NULL,
    space text NOT NULL,
    policy_name text NOT NULL,
    policy text NOT NULL,
    seed bigint NOT NULL,
    created timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.studies_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.studies_id_seq OWNED BY public.studies.id;
CREATE TABLE public.withdrawals (
    study_id integer NOT NULL,
    place integer NOT NULL,
    fact text NOT NULL,
    reason text NOT NULL
);
ALTER TABLE ONLY public.studies ALTER COLUMN id SET DEFAULT nextval('public.studies_id_seq'::regclass);
INSERT INTO public.comparisons VALUES (1, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 0.051080301331523525, "b": 0.30663013112611176, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (2, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (3, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (4, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (5, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (6, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (7, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (8, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.comparisons VALUES (14, 3, '{"a": 0.08570116026709473, "b": 0.05589217476633823}', '{"a": 1.7892750172405265, "b": 0.8549855028524541}', false, '{}', 'p2', 'p1');
INSERT INTO public.comparisons VALUES (14, 6, '{"a": 0.024026720252167566, "b": 0.9538309474918356}', '{"a": 1.711064008623667, "b": 0.009601168283640993}', false, '{}', 'p3', 'p4');
INSERT INTO public.comparisons VALUES (14, 9, '{"a": 1.0108443503402536, "b": 0.9264605524983659}', '{"a": 1.0862870330853558, "b": 0.45301614673111623}', true, '{}', 'p6', 'p5');
INSERT INTO public.comparisons VALUES (14, 12, '{"a": 0.0, "b": 1.0}', '{"a": 0.08570116026709473, "b": 0.05589217476633823}', false, '{}', 'p8', 'p7');
INSERT INTO public.comparisons VALUES (16, 22, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', false, '{}', 'p1', 'p2');
INSERT INTO public.constraints VALUES (9, 0, 'comfort', 0, NULL);
INSERT INTO public.constraints VALUES (9, 1, 'jerk', NULL, 2);
INSERT INTO public.constraints VALUES (10, 0, 'comfort', 0, NULL);
INSERT INTO public.constraints VALUES (10, 1, 'jerk', NULL, 2);
INSERT INTO public.constraints VALUES (11, 0, 'comfort', 0, NULL);
INSERT INTO public.constraints VALUES (11, 1, 'jerk', NULL, 2);
INSERT INTO public.constraints VALUES (12, 0, 'comfort', 0, NULL);
INSERT INTO public.constraints VALUES (12, 1, 'jerk', NULL, 2);
INSERT INTO public.constraints VALUES (13, 0, 'comfort', 0, NULL);
INSERT INTO public.constraints VALUES (13, 1, 'jerk', NULL, 2);
INSERT INTO public.counsel_schema VALUES ('0003');
INSERT INTO public.decisions VALUES (1, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (1, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (2, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (2, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (3, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (3, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (4, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (4, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (5, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (5, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (6, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (6, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (7, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (7, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (8, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (8, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.decisions VALUES (16, 6, 'p3', 'override', '{"a": 1.0, "b": 0.5, "mode": "soft"}', 'too stiff');
INSERT INTO public.decisions VALUES (16, 11, 'p5', 'reject', NULL, 'unsafe');
INSERT INTO public.facts VALUES (1, 1, 'p1', 'proposal', NULL, '2026-11-16 17:10:49.433199+00', 'f8402620f6a74fc8a002e7318cdc8bea', '');
INSERT INTO public.facts VALUES (1, 2, 'o1', 'observation', 'ann', '2026-11-16 17:10:49.44898+00', '797d9edb0d7145c897da22b934aebf93', '');
INSERT INTO public.facts VALUES (1, 3, 'p2', 'proposal', NULL, '2026-11-16 17:10:49.468211+00', '0419f7627dc646fdb86294c88258d015', '');
INSERT INTO public.facts VALUES (1, 4, 'o2', 'observation', 'ann', '2026-11-16 17:10:49.475986+00', 'eed5a43449344726a0d64e2fe7974822', '');
INSERT INTO public.facts VALUES (1, 5, 'p3', 'proposal', NULL, '2026-11-16 17:10:49.480444+00', '198e33ec6d2c417fab12a7b57c0863b0', '');
INSERT INTO public.facts VALUES (1, 6, 'd1', 'decision', 'bob', '2026-11-16 17:10:49.492163+00', '729ba5a67edd46df83c8bbc8d476c491', '');
INSERT INTO public.facts VALUES (1, 7, 'o3', 'observation', 'bob', '2026-11-16 17:10:49.503912+00', '5f47155a80c141ab9ac9f3c7fa26df3c', '');
INSERT INTO public.facts VALUES (1, 8, 'p4', 'proposal', NULL, '2026-11-16 17:10:49.506621+00', 'c32bd7ad7e174c7891fbc336c6ad1310', '');
INSERT INTO public.facts VALUES (1, 9, 'o4', 'observation', 'ann', '2026-11-16 17:10:49.511919+00', 'fb6bb64a2fbb4e4c90fc2ad291cefd8c', '');
INSERT INTO public.facts VALUES (1, 10, 'p5', 'proposal', NULL, '2026-11-16 17:10:49.516292+00', '85d60a973fc24c159ad86892961e6305', '');
INSERT INTO public.facts VALUES (1, 11, 'd2', 'decision', 'ann', '2026-11-16 17:10:49.608882+00', '96df39bf7efa491284d398277b6481b6', '');
INSERT INTO public.facts VALUES (1, 12, 'p6', 'proposal', NULL, '2026-11-16 17:10:49.652403+00', '0e35e2c20eaf4c7ca4301e67db09e5b0', '');
INSERT INTO public.facts VALUES (1, 13, 'o5', 'observation', 'ann', '2026-11-16 17:10:49.696163+00', '3aa22fc1cc2645d7a418248870b1e939', '');
INSERT INTO public.facts VALUES (1, 14, 'p7', 'proposal', NULL, '2026-11-16 17:10:49.700216+00', '07abf928af16486ab94159196c32fb2d', '');
INSERT INTO public.facts VALUES (1, 15, 'o6', 'observation', 'ann', '2026-11-16 17:10:49.712154+00', '4e98d7ae8c104d04ab3c52713759f58b', '');
INSERT INTO public.facts VALUES (1, 16, 'p8', 'proposal', NULL, '2026-11-16 17:10:49.716373+00', 'fac9b621a94a4256bc5c6337e69ccb01', '');
INSERT INTO public.facts VALUES (1, 17, 'o7', 'observation', 'ann', '2026-11-16 17:10:49.728015+00', '1ef3fdfacb7f4499a8080f5ce70b2224', '');
INSERT INTO public.facts VALUES (1, 18, 'p9', 'proposal', NULL, '2026-11-16 17:10:49.73212+00', 'a97ade7897094cf0b1e8f91509573a10', '');
INSERT INTO public.facts VALUES (1, 19, 'o8', 'observation', 'ann', '2026-11-16 17:10:49.740526+00', '135a062807b140928b132800f2188195', '');
INSERT INTO public.facts VALUES (1, 20, 'r1', 'revision', 'ann', '2026-11-16 17:10:49.742669+00', '244425b69b5245d6bf4553c5d4dc0b51', '');
INSERT INTO public.facts VALUES (1, 21, 'o9', 'observation', 'bob', '2026-11-16 17:10:49.751807+00', '39341f4d4b364ef8ba0f02813b5384ed', '');
INSERT INTO public.facts VALUES (1, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:10:49.755494+00', '01e139d271004476a6bbf6273b631b10', '');
INSERT INTO public.facts VALUES (1, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:10:49.768051+00', 'be2a70182d924afd93f15f9ce5350445', '');
INSERT INTO public.facts VALUES (1, 24, 'p10', 'proposal', NULL, '2026-11-16 17:10:49.776659+00', 'ef0f086e67a84729b2c399711e8419bd', '');
INSERT INTO public.facts VALUES (2, 1, 'p1', 'proposal', NULL, '2026-11-16 17:10:49.873871+00', '6b105e24459d4f1e9cb989071df44935', '');
INSERT INTO public.facts VALUES (2, 2, 'o1', 'observation', 'ann', '2026-11-16 17:10:49.888484+00', '4ce7964b3f2a48b59e084d4a7afbb0af', '');
INSERT INTO public.facts VALUES (2, 3, 'p2', 'proposal', NULL, '2026-11-16 17:10:49.895767+00', 'dc8c39a5a5c944d6b5e99275add05019', '');
INSERT INTO public.facts VALUES (2, 4, 'o2', 'observation', 'ann', '2026-11-16 17:10:49.899228+00', 'db9f8f5257df409baa49dadbbbbb3624', '');
INSERT INTO public.facts VALUES (2, 5, 'p3', 'proposal', NULL, '2026-11-16 17:10:49.903656+00', '44f9afb60faf44308bdc72881a575746', '');
INSERT INTO public.facts VALUES (2, 6, 'd1', 'decision', 'bob', '2026-11-16 17:10:49.907216+00', 'feacb5d6ce564345b3fa3e74c047c2bc', '');
INSERT INTO public.facts VALUES (2, 7, 'o3', 'observation', 'bob', '2026-11-16 17:10:49.915373+00', '8e4c6c6cef3b4420b5f092a5e029e8c8', '');
INSERT INTO public.facts VALUES (2, 8, 'p4', 'proposal', NULL, '2026-11-16 17:10:49.919609+00', '6dccfb44325a4c4f92405923da2fe247', '');
INSERT INTO public.facts VALUES (2, 9, 'o4', 'observation', 'ann', '2026-11-16 17:10:49.92328+00', '8b227cb0d4f042f3b0eed85369e0c84d', '');
INSERT INTO public.facts VALUES (2, 10, 'p5', 'proposal', NULL, '2026-11-16 17:10:55.639862+00', '94830ccc048c4f2cb61f3f105a0761c0', '');
INSERT INTO public.facts VALUES (2, 11, 'd2', 'decision', 'ann', '2026-11-16 17:10:55.656647+00', '8322ba37ae7a43cfbba0eed8603ed83c', '');
INSERT INTO public.facts VALUES (2, 12, 'p6', 'proposal', NULL, '2026-11-16 17:10:55.68831+00', '91bae449b8904d05a31b1cf7f0bc7705', '');
INSERT INTO public.facts VALUES (2, 13, 'o5', 'observation', 'ann', '2026-11-16 17:10:55.700273+00', 'f7b755a56eaf4abdb42b43e1b365d6c3', '');
INSERT INTO public.facts VALUES (2, 14, 'p7', 'proposal', NULL, '2026-11-16 17:10:55.724891+00', 'f1022de91fc54d24909aa4e3ad86c17e', '');
INSERT INTO public.facts VALUES (2, 15, 'o6', 'observation', 'ann', '2026-11-16 17:10:55.736241+00', 'bd6b896626254c9e8adc29e56d5d7663', '');
INSERT INTO public.facts VALUES (2, 16, 'p8', 'proposal', NULL, '2026-11-16 17:10:55.759826+00', '6e62f3edb030412b9c9dbaf114a1aabd', '');
INSERT INTO public.facts VALUES (2, 17, 'o7', 'observation', 'ann', '2026-11-16 17:10:55.767741+00', 'dbb9aa549afb42718292f8046382e074', '');
INSERT INTO public.facts VALUES (2, 18, 'p9', 'proposal', NULL, '2026-11-16 17:10:55.78612+00', '4e1686c1b1b4413abcab88469048b217', '');
INSERT INTO public.facts VALUES (2, 19, 'o8', 'observation', 'ann', '2026-11-16 17:10:55.787799+00', '9db7dcd0285c4dfa94b1c66634667066', '');
INSERT INTO public.facts VALUES (2, 20, 'r1', 'revision', 'ann', '2026-11-16 17:10:55.791021+00', 'dec5613ebb7c4565b5de601d510732e0', '');
INSERT INTO public.facts VALUES (2, 21, 'o9', 'observation', 'bob', '2026-11-16 17:10:55.807811+00', 'b78d7d7c57f54417881acddaca9be2fc', '');
INSERT INTO public.facts VALUES (2, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:10:55.811597+00', '48218f5c43d64f018901a634ee46f451', '');
INSERT INTO public.facts VALUES (2, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:10:55.82446+00', '221c5795324e414ba3e0b9c970816019', '');
INSERT INTO public.facts VALUES (2, 24, 'p10', 'proposal', NULL, '2026-11-16 17:10:55.844701+00', '7a9b1ccf884a4804974c76460af2f227', '');
INSERT INTO public.facts VALUES (3, 1, 'p1', 'proposal', NULL, '2026-11-16 17:10:55.860172+00', '575b6f14108a4a58bf837e1de4225f2b', '');
INSERT INTO public.facts VALUES (3, 2, 'o1', 'observation', 'ann', '2026-11-16 17:10:55.871564+00', 'ea48b8bac8c548588ee8d65d2b7024bf', '');
INSERT INTO public.facts VALUES (3, 3, 'p2', 'proposal', NULL, '2026-11-16 17:10:55.875574+00', '428776e1f06f4fa69103e4ad9a3abef6', '');
INSERT INTO public.facts VALUES (3, 4, 'o2', 'observation', 'ann', '2026-11-16 17:10:55.883073+00', 'fa7b36e83bfd46dca09c4e5ba3132410', '');
INSERT INTO public.facts VALUES (3, 5, 'p3', 'proposal', NULL, '2026-11-16 17:10:55.887365+00', 'ac66ef1673604fbeb0391588c122c0b1', '');
INSERT INTO public.facts VALUES (3, 6, 'd1', 'decision', 'bob', '2026-11-16 17:10:55.891041+00', 'e2cc4fff923147f8ad132a72af23f22c', '');
INSERT INTO public.facts VALUES (3, 7, 'o3', 'observation', 'bob', '2026-11-16 17:10:55.895034+00', 'c546ff4c684e48c6be50164e44d6f250', '');
INSERT INTO public.facts VALUES (3, 8, 'p4', 'proposal', NULL, '2026-11-16 17:10:55.89926+00', '411153d86dc642c8a935c9093178249a', '');
INSERT INTO public.facts VALUES (3, 9, 'o4', 'observation', 'ann', '2026-11-16 17:10:55.903035+00', '28ebdd050e5c4e628df936b9d21958d0', '');
INSERT INTO public.facts VALUES (3, 10, 'p5', 'proposal', NULL, '2026-11-16 17:10:57.917137+00', '2c75eaadd0b64769a9448f8f7eea594f', '');
INSERT INTO public.facts VALUES (3, 11, 'd2', 'decision', 'ann', '2026-11-16 17:10:57.921321+00', '106bc66cc8c846b3b1ec71ca46c81937', '');
INSERT INTO public.facts VALUES (3, 12, 'p6', 'proposal', NULL, '2026-11-16 17:10:57.941126+00', 'bd0f99c7ceb2437d8d276bce50addfc0', '');
INSERT INTO public.facts VALUES (3, 13, 'o5', 'observation', 'ann', '2026-11-16 17:10:57.945365+00', 'f7bbfc7ebe4c423d87efcbed80ce4592', '');
INSERT INTO public.facts VALUES (3, 14, 'p7', 'proposal', NULL, '2026-11-16 17:10:57.963544+00', '9fab435e0bd2401fa5287e471cb88e83', '');
INSERT INTO public.facts VALUES (3, 15, 'o6', 'observation', 'ann', '2026-11-16 17:10:57.966927+00', '1e2ca6a8967944e3b484ae6e4f92013a', '');
INSERT INTO public.facts VALUES (3, 16, 'p8', 'proposal', NULL, '2026-11-16 17:10:57.984327+00', 'dc8e003d7cea492aac4c48ac82c43154', '');
INSERT INTO public.facts VALUES (3, 17, 'o7', 'observation', 'ann', '2026-11-16 17:10:57.98721+00', 'f7b7b2e03eb74d419727c2101860da5f', '');
INSERT INTO public.facts VALUES (3, 18, 'p9', 'proposal', NULL, '2026-11-16 17:10:58.001152+00', '3a5d36cf9ea0411e93fb1c8abd7cdd23', '');
INSERT INTO public.facts VALUES (3, 19, 'o8', 'observation', 'ann', '2026-11-16 17:10:58.004101+00', 'dd0faec4f0bb4edab5772866af01a6a8', '');
INSERT INTO public.facts VALUES (3, 20, 'r1', 'revision', 'ann', '2026-11-16 17:10:58.006115+00', 'a70c2ad349d447d3b09d48b808a3b867', '');
INSERT INTO public.facts VALUES (3, 21, 'o9', 'observation', 'bob', '2026-11-16 17:10:58.008528+00', '84408d8b5753408297f306bfffe3a2a2', '');
INSERT INTO public.facts VALUES (3, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:10:58.010343+00', '4342f9247540464ca76e474f890fb916', '');
INSERT INTO public.facts VALUES (3, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:10:58.013198+00', '3a7633a7c61d461ab79fb60567be65c4', '');
INSERT INTO public.facts VALUES (3, 24, 'p10', 'proposal', NULL, '2026-11-16 17:10:58.027429+00', '93e22384c0844407a7a55f2751ae9a28', '');
INSERT INTO public.facts VALUES (4, 1, 'p1', 'proposal', NULL, '2026-11-16 17:10:58.037956+00', '433c68178495443781c9302b5eab2803', '');
INSERT INTO public.facts VALUES (4, 2, 'o1', 'observation', 'ann', '2026-11-16 17:10:58.042733+00', '915e10151910491aaadb8e96152d4c03', '');
INSERT INTO public.facts VALUES (4, 3, 'p2', 'proposal', NULL, '2026-11-16 17:10:58.046843+00', '294f35dfb1364deea1e400c6f4861ed6', '');
INSERT INTO public.facts VALUES (4, 4, 'o2', 'observation', 'ann', '2026-11-16 17:10:58.057631+00', 'df11ebc122854a458328b2f999e8867e', '');
INSERT INTO public.facts VALUES (4, 5, 'p3', 'proposal', NULL, '2026-11-16 17:10:58.0604+00', '6a87481985e341d598ce9cadb729e143', '');
INSERT INTO public.facts VALUES (4, 6, 'd1', 'decision', 'bob', '2026-11-16 17:10:58.062994+00', '46f5a9a2e0f34fb0a00b29f9f60bd72d', '');
INSERT INTO public.facts VALUES (4, 7, 'o3', 'observation', 'bob', '2026-11-16 17:10:58.066166+00', '11e48bd16bb34650bb9670077b66f5aa', '');
INSERT INTO public.facts VALUES (4, 8, 'p4', 'proposal', NULL, '2026-11-16 17:10:58.068656+00', 'd30dee30ccd44e1a8720e9bf1cb2f8c9', '');
INSERT INTO public.facts VALUES (4, 9, 'o4', 'observation', 'ann', '2026-11-16 17:10:58.071147+00', '9f1e5e361ebe4b3e8bb0948660d44d7a', '');
INSERT INTO public.facts VALUES (4, 10, 'p5', 'proposal', NULL, '2026-11-16 17:11:02.183818+00', '9c9507f0a62f4cf8b8e06fa98aa9aca3', '');
INSERT INTO public.facts VALUES (4, 11, 'd2', 'decision', 'ann', '2026-11-16 17:11:02.192742+00', '9a1f0acb17a84afc99d651da1679614d', '');
INSERT INTO public.facts VALUES (4, 12, 'p6', 'proposal', NULL, '2026-11-16 17:11:02.204787+00', 'b6f05183f746436a924b5925892cf75e', '');
INSERT INTO public.facts VALUES (4, 13, 'o5', 'observation', 'ann', '2026-11-16 17:11:02.207069+00', '83298a2f5cf149c8b8cd0b80f71cdf71', '');
INSERT INTO public.facts VALUES (4, 14, 'p7', 'proposal', NULL, '2026-11-16 17:11:02.218862+00', 'c9ded74e370447c58ad5874ea91c3089', '');
INSERT INTO public.facts VALUES (4, 15, 'o6', 'observation', 'ann', '2026-11-16 17:11:02.221011+00', 'c14cc8e17bd44ae297f58f79a7a0415f', '');
INSERT INTO public.facts VALUES (4, 16, 'p8', 'proposal', NULL, '2026-11-16 17:11:02.231383+00', 'e227b51224a742558c8a28daa6cf4270', '');
INSERT INTO public.facts VALUES (4, 17, 'o7', 'observation', 'ann', '2026-11-16 17:11:02.235317+00', 'e4578e908f9d45f08c66705dcad1071f', '');
INSERT INTO public.facts VALUES (4, 18, 'p9', 'proposal', NULL, '2026-11-16 17:11:02.255484+00', 'bce7043b65cf45f1812e3236f324fa0d', '');
INSERT INTO public.facts VALUES (4, 19, 'o8', 'observation', 'ann', '2026-11-16 17:11:02.257858+00', 'c24070f67c8f4080b9a72e74a29a81a4', '');
INSERT INTO public.facts VALUES (4, 20, 'r1', 'revision', 'ann', '2026-11-16 17:11:02.259096+00', '5cb4b10301db42bfb8a4fa2c0059a777', '');
INSERT INTO public.facts VALUES (4, 21, 'o9', 'observation', 'bob', '2026-11-16 17:11:02.263327+00', '5589515363584b81ba5f2e57481b53ba', '');
INSERT INTO public.facts VALUES (4, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:11:02.264646+00', '08eb25236ac94c8d90d0eec06f88c3f6', '');
INSERT INTO public.facts VALUES (4, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:11:02.269754+00', '2a32e6f2ed6f4fb894cb91c9eabbb354', '');
INSERT INTO public.facts VALUES (4, 24, 'p10', 'proposal', NULL, '2026-11-16 17:11:02.309092+00', 'f53efe52dd644b028791196eaea9d026', '');
INSERT INTO public.facts VALUES (5, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:02.32677+00', '822e502a9fad40b99a4089546141ea8d', '');
INSERT INTO public.facts VALUES (5, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:02.337859+00', '10440c7939144efe9c4e0f5f96d57c72', '');
INSERT INTO public.facts VALUES (5, 3, 'p2', 'proposal', NULL, '2026-11-16 17:11:02.344312+00', '0538b106b8234905a9be529204071eca', '');
INSERT INTO public.facts VALUES (5, 4, 'o2', 'observation', 'ann', '2026-11-16 17:11:02.352266+00', '68a3a1ee36ae496eacc2291c4613c672', '');
INSERT INTO public.facts VALUES (5, 5, 'p3', 'proposal', NULL, '2026-11-16 17:11:02.354653+00', '0fb26c92c4d24ff0890db0b82c677475', '');
INSERT INTO public.facts VALUES (5, 6, 'd1', 'decision', 'bob', '2026-11-16 17:11:02.35993+00', '0a1fa063b91e40b6a80ec13a4edbf148', '');
INSERT INTO public.facts VALUES (5, 7, 'o3', 'observation', 'bob', '2026-11-16 17:11:02.366263+00', 'b801f834bc984f428adb218099ad9835', '');
INSERT INTO public.facts VALUES (5, 8, 'p4', 'proposal', NULL, '2026-11-16 17:11:02.373159+00', '83dc17ac8478473f98c1744129d55ab7', '');
INSERT INTO public.facts VALUES (5, 9, 'o4', 'observation', 'ann', '2026-11-16 17:11:02.375337+00', '6e21d622bffa408ca2b159daa1bed4a1', '');
INSERT INTO public.facts VALUES (5, 10, 'p5', 'proposal', NULL, '2026-11-16 17:11:09.185802+00', '09c4ec2645e24433a4fdb8a1d293b31e', '');
INSERT INTO public.facts VALUES (5, 11, 'd2', 'decision', 'ann', '2026-11-16 17:11:09.197362+00', 'ee50d613ff454b1db878d7163f5cf697', '');
INSERT INTO public.facts VALUES (5, 12, 'p6', 'proposal', NULL, '2026-11-16 17:11:09.344726+00', '0a3b51e60ac64a5e87f431f680a8b959', '');
INSERT INTO public.facts VALUES (5, 13, 'o5', 'observation', 'ann', '2026-11-16 17:11:09.351606+00', '2ebc2bcfa4b64538aeb6e812dc75ab70', '');
INSERT INTO public.facts VALUES (5, 14, 'p7', 'proposal', NULL, '2026-11-16 17:11:09.432002+00', 'db030f565a1b4234afd83506a7b683a2', '');
INSERT INTO public.facts VALUES (5, 15, 'o6', 'observation', 'ann', '2026-11-16 17:11:09.434877+00', 'd4e91d8430224916b8d42bd741c7d9d1', '');
INSERT INTO public.facts VALUES (5, 16, 'p8', 'proposal', NULL, '2026-11-16 17:11:09.557396+00', '8abba34ff5c44592a1915e27e48cb622', '');
INSERT INTO public.facts VALUES (5, 17, 'o7', 'observation', 'ann', '2026-11-16 17:11:09.563532+00', '01741e26eefa442881a97792f0352bb2', '');
INSERT INTO public.facts VALUES (5, 18, 'p9', 'proposal', NULL, '2026-11-16 17:11:09.655059+00', '517da68182df42909e95cafaae986e46', '');
INSERT INTO public.facts VALUES (5, 19, 'o8', 'observation', 'ann', '2026-11-16 17:11:09.657412+00', '80e4625bf7614cbebe1aabb6fc75ffcc', '');
INSERT INTO public.facts VALUES (5, 20, 'r1', 'revision', 'ann', '2026-11-16 17:11:09.658744+00', 'ba4ff83b4dc24ea9b81bf92b9d8b5874', '');
INSERT INTO public.facts VALUES (5, 21, 'o9', 'observation', 'bob', '2026-11-16 17:11:09.663216+00', '2ef744c14cbc476b9842f44d97d3cbd6', '');
INSERT INTO public.facts VALUES (5, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:11:09.664493+00', 'e97a9c2e5513426f85a3eed829460023', '');
INSERT INTO public.facts VALUES (5, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:11:09.670156+00', 'f8809d25a9bb4160ba27bc7a06d5e880', '');
INSERT INTO public.facts VALUES (5, 24, 'p10', 'proposal', NULL, '2026-11-16 17:11:09.778588+00', '385790033d2a4c8a810b28f2bf12fcd1', '');
INSERT INTO public.facts VALUES (6, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:09.804638+00', '0e2a7408cc574ecdae08a5d11a082e8c', '');
INSERT INTO public.facts VALUES (6, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:09.812366+00', '7d9ae995697f4037bc1e7bbc0cc0d11f', '');
INSERT INTO public.facts VALUES (6, 3, 'p2', 'proposal', NULL, '2026-11-16 17:11:09.819874+00', '55114597be364821b6a55cd93205817b', '');
INSERT INTO public.facts VALUES (6, 4, 'o2', 'observation', 'ann', '2026-11-16 17:11:09.821554+00', '76b725f8b18f4bbbb1bd86ddc2fc00e7', '');
INSERT INTO public.facts VALUES (6, 5, 'p3', 'proposal', NULL, '2026-11-16 17:11:09.827626+00', 'e1baffb571b34177887e37112f6925c5', '');
INSERT INTO public.facts VALUES (6, 6, 'd1', 'decision', 'bob', '2026-11-16 17:11:09.829068+00', '5ecfe3fa23e64968ba4163e08e8f3306', '');
INSERT INTO public.facts VALUES (6, 7, 'o3', 'observation', 'bob', '2026-11-16 17:11:09.830885+00', 'fe810e7f848f4632b997aa170b80e55b', '');
INSERT INTO public.facts VALUES (6, 8, 'p4', 'proposal', NULL, '2026-11-16 17:11:09.835504+00', '19e5205025694e839c9454a0189b206e', '');
INSERT INTO public.facts VALUES (6, 9, 'o4', 'observation', 'ann', '2026-11-16 17:11:09.837025+00', 'fb837005eab54a4f99d2b01a8c09cc3e', '');
INSERT INTO public.facts VALUES (6, 10, 'p5', 'proposal', NULL, '2026-11-16 17:11:25.155173+00', '6ffd39cdd0904b94af671abba61bfd80', '');
INSERT INTO public.facts VALUES (6, 11, 'd2', 'decision', 'ann', '2026-11-16 17:11:25.168334+00', '55b33de5fb5244a185bcf713924e5951', '');
INSERT INTO public.facts VALUES (6, 12, 'p6', 'proposal', NULL, '2026-11-16 17:11:25.244781+00', 'f830dd5a70fe4ec9b9b5d9ef9ed08246', '');
INSERT INTO public.facts VALUES (6, 13, 'o5', 'observation', 'ann', '2026-11-16 17:11:25.256034+00', 'e0916be079994a5f9173188ca5080936', '');
INSERT INTO public.facts VALUES (6, 14, 'p7', 'proposal', NULL, '2026-11-16 17:11:25.367708+00', '1fc195652e6f4d3282485959d772ea43', '');
INSERT INTO public.facts VALUES (6, 15, 'o6', 'observation', 'ann', '2026-11-16 17:11:25.380018+00', '557519186dff4374bd11bcfec30511da', '');
INSERT INTO public.facts VALUES (6, 16, 'p8', 'proposal', NULL, '2026-11-16 17:11:25.554253+00', '5235f1b56952435c896bc2b1a806670d', '');
INSERT INTO public.facts VALUES (6, 17, 'o7', 'observation', 'ann', '2026-11-16 17:11:25.601043+00', '6a38587bdb084ebba8cd5f651e715d1e', '');
INSERT INTO public.facts VALUES (6, 18, 'p9', 'proposal', NULL, '2026-11-16 17:11:25.83296+00', '2b9ae7b60c4f4ac2a426d0d89587038b', '');
INSERT INTO public.facts VALUES (6, 19, 'o8', 'observation', 'ann', '2026-11-16 17:11:25.860257+00', 'a5b20274a41246e99852304957621dc8', '');
INSERT INTO public.facts VALUES (6, 20, 'r1', 'revision', 'ann', '2026-11-16 17:11:25.890229+00', '49706bf9d66d48199ff7763dcda3672a', '');
INSERT INTO public.facts VALUES (6, 21, 'o9', 'observation', 'bob', '2026-11-16 17:11:25.920712+00', '45731064c9bf403ebb49481be8eacdb2', '');
INSERT INTO public.facts VALUES (6, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:11:25.923388+00', '1b74f2d9bb264574a53740287de391c0', '');
INSERT INTO public.facts VALUES (6, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:11:25.932505+00', 'e23c40515e6049719c88be406b9fc00b', '');
INSERT INTO public.facts VALUES (6, 24, 'p10', 'proposal', NULL, '2026-11-16 17:11:26.051302+00', '2fb587654f154c35b3197e00fb85340f', '');
INSERT INTO public.facts VALUES (7, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:26.090752+00', '4f3b9c67491542c38e1987679d0fc549', '');
INSERT INTO public.facts VALUES (7, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:26.1048+00', '5938f356b81947eca64a3b292ecf0c3a', '');
INSERT INTO public.facts VALUES (7, 3, 'p2', 'proposal', NULL, '2026-11-16 17:11:26.122138+00', '021f8333b37a4b8baecff91a7299a839', '');
INSERT INTO public.facts VALUES (7, 4, 'o2', 'observation', 'ann', '2026-11-16 17:11:26.124466+00', '319e83b83add4f51bb97b78007d8624c', '');
INSERT INTO public.facts VALUES (7, 5, 'p3', 'proposal', NULL, '2026-11-16 17:11:26.13447+00', '398c1bb90949423a92a5444f38e58f63', '');
INSERT INTO public.facts VALUES (7, 6, 'd1', 'decision', 'bob', '2026-11-16 17:11:26.138189+00', 'ed603b38107a4b3a9534ac97842074da', '');
INSERT INTO public.facts VALUES (7, 7, 'o3', 'observation', 'bob', '2026-11-16 17:11:26.143618+00', '4956e0957fd04b84ba84cbb765d41d68', '');
INSERT INTO public.facts VALUES (7, 8, 'p4', 'proposal', NULL, '2026-11-16 17:11:26.150956+00', '513acdb0502f4062b23850ba34e8dbdd', '');
INSERT INTO public.facts VALUES (7, 9, 'o4', 'observation', 'ann', '2026-11-16 17:11:26.156208+00', 'af63781fa5fa412d8406e70f753df0c8', '');
INSERT INTO public.facts VALUES (7, 10, 'p5', 'proposal', NULL, '2026-11-16 17:11:36.342727+00', 'dcd62602121d41e390c9712f70ec76ac', '');
INSERT INTO public.facts VALUES (7, 11, 'd2', 'decision', 'ann', '2026-11-16 17:11:36.345845+00', 'd8b18744b23c4328b120c60801ec4ce4', '');
INSERT INTO public.facts VALUES (7, 12, 'p6', 'proposal', NULL, '2026-11-16 17:11:36.366847+00', 'bdc4b4c4aa6c4591b9e4f32d33b31752', '');
INSERT INTO public.facts VALUES (7, 13, 'o5', 'observation', 'ann', '2026-11-16 17:11:36.371968+00', 'c672d4932aaa435facacb90f5b69b6d2', '');
INSERT INTO public.facts VALUES (7, 14, 'p7', 'proposal', NULL, '2026-11-16 17:11:36.403149+00', 'cca7202488cb4731809c4790eb146674', '');
INSERT INTO public.facts VALUES (7, 15, 'o6', 'observation', 'ann', '2026-11-16 17:11:36.407877+00', '52f2ee6596aa4ea08d919e1882c1dce8', '');
INSERT INTO public.facts VALUES (7, 16, 'p8', 'proposal', NULL, '2026-11-16 17:11:36.441204+00', '031c090c7451463987e7873b6a91b4a3', '');
INSERT INTO public.facts VALUES (7, 17, 'o7', 'observation', 'ann', '2026-11-16 17:11:36.448253+00', '2f9842e7d8444083878b38670f377c49', '');
INSERT INTO public.facts VALUES (7, 18, 'p9', 'proposal', NULL, '2026-11-16 17:11:36.507224+00', '6f11757283454f99bac17fe9b2cbb93f', '');
INSERT INTO public.facts VALUES (7, 19, 'o8', 'observation', 'ann', '2026-11-16 17:11:36.515623+00', '2a6e7065a9ba49cbbb39ba89fa91a223', '');
INSERT INTO public.facts VALUES (7, 20, 'r1', 'revision', 'ann', '2026-11-16 17:11:36.523435+00', '963f790dfeff417480bf7d8d8ec9fb9d', '');
INSERT INTO public.facts VALUES (7, 21, 'o9', 'observation', 'bob', '2026-11-16 17:11:36.53137+00', '12b42d7afd3548149aaa4adcef632206', '');
INSERT INTO public.facts VALUES (7, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:11:36.53941+00', '44396ccf062e47799c3e64b581bd8e1f', '');
INSERT INTO public.facts VALUES (7, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:11:36.544909+00', '72e7dc65e5b8412f9b10878d69113791', '');
INSERT INTO public.facts VALUES (7, 24, 'p10', 'proposal', NULL, '2026-11-16 17:11:36.584051+00', '790d8073f15c45449c55cb4ba0c6b3a3', '');
INSERT INTO public.facts VALUES (8, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:36.626262+00', 'f0bc22d48da44f22a3526282c9c53954', '');
INSERT INTO public.facts VALUES (8, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:36.651708+00', 'ec8f848f9fff40c59860b6abc6e9a9a2', '');
INSERT INTO public.facts VALUES (8, 3, 'p2', 'proposal', NULL, '2026-11-16 17:11:36.659009+00', '562c8bcf24664e70bedd64c54c356ed3', '');
INSERT INTO public.facts VALUES (8, 4, 'o2', 'observation', 'ann', '2026-11-16 17:11:36.672056+00', '13ef18e99a1045f8a5b683c1cb23db13', '');
INSERT INTO public.facts VALUES (8, 5, 'p3', 'proposal', NULL, '2026-11-16 17:11:36.690235+00', '5be224fbf3c644b6b556ccb86a81ee73', '');
INSERT INTO public.facts VALUES (8, 6, 'd1', 'decision', 'bob', '2026-11-16 17:11:36.718308+00', 'e7e5782d43e647eead4f4a8f8d5f9b4c', '');
INSERT INTO public.facts VALUES (8, 7, 'o3', 'observation', 'bob', '2026-11-16 17:11:36.741142+00', '747cb5b1a1fe41c48b7f7c98af0714bf', '');
INSERT INTO public.facts VALUES (8, 8, 'p4', 'proposal', NULL, '2026-11-16 17:11:36.743202+00', 'f857d3a3169e4d25a7ea95bf8216764b', '');
INSERT INTO public.facts VALUES (8, 9, 'o4', 'observation', 'ann', '2026-11-16 17:11:36.744657+00', 'e5f6ffd9ccd44414ba4184dbe898baf1', '');
INSERT INTO public.facts VALUES (8, 10, 'p5', 'proposal', NULL, '2026-11-16 17:11:39.947388+00', '90cc614deefe4dfeb7d81cac046468ce', '');
INSERT INTO public.facts VALUES (8, 11, 'd2', 'decision', 'ann', '2026-11-16 17:11:39.952462+00', '4aa895a089a24fd2b399e57c419b4c0c', '');
INSERT INTO public.facts VALUES (8, 12, 'p6', 'proposal', NULL, '2026-11-16 17:11:39.977522+00', 'c6d292442b504fef90ea02521ada34e9', '');
INSERT INTO public.facts VALUES (8, 13, 'o5', 'observation', 'ann', '2026-11-16 17:11:39.981253+00', '49cff98db7f349a5bb73c4f0532d1078', '');
INSERT INTO public.facts VALUES (8, 14, 'p7', 'proposal', NULL, '2026-11-16 17:11:40.007816+00', '831bc85dc0ce4cf6bacfa412f44a4423', '');
INSERT INTO public.facts VALUES (8, 15, 'o6', 'observation', 'ann', '2026-11-16 17:11:40.010907+00', '5c258ada0b104f2799d175f752b69909', '');
INSERT INTO public.facts VALUES (8, 16, 'p8', 'proposal', NULL, '2026-11-16 17:11:40.038961+00', '7f58178181bc4147b8d1f4b59e826e6a', '');
INSERT INTO public.facts VALUES (8, 17, 'o7', 'observation', 'ann', '2026-11-16 17:11:40.043628+00', '4452d2694e2d4cd6981be8ca2a2fcba1', '');
INSERT INTO public.facts VALUES (8, 18, 'p9', 'proposal', NULL, '2026-11-16 17:11:40.065214+00', 'b2eedbad29f24ea9bb4bce46669acef8', '');
INSERT INTO public.facts VALUES (8, 19, 'o8', 'observation', 'ann', '2026-11-16 17:11:40.067901+00', 'b2cad75c42d746be8128469d527a5fa4', '');
INSERT INTO public.facts VALUES (8, 20, 'r1', 'revision', 'ann', '2026-11-16 17:11:40.070133+00', '2bea6640d7744520b79f9349f45b5a67', '');
INSERT INTO public.facts VALUES (8, 21, 'o9', 'observation', 'bob', '2026-11-16 17:11:40.075694+00', '572688cacbc84cafa6543a6acb9c680b', '');
INSERT INTO public.facts VALUES (8, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:11:40.077182+00', '09910cbc11d247f1b83c3e8561a1e1f6', '');
INSERT INTO public.facts VALUES (8, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:11:40.083182+00', '0e4bd0403edf4cf0a2af716364b2740d', '');
INSERT INTO public.facts VALUES (8, 24, 'p10', 'proposal', NULL, '2026-11-16 17:11:40.110937+00', '310f1c23748749fe8b5442b20493a927', '');
INSERT INTO public.facts VALUES (9, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:40.502711+00', 'bfd70829670a449aae4ffbf7e92c0fd1', '');
INSERT INTO public.facts VALUES (9, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:40.508244+00', '7709d0e4b6f248929f676eebf51baebe', '');
INSERT INTO public.facts VALUES (9, 3, 'p2', 'proposal', NULL, '2026-11-16 17:11:47.499362+00', '4fbb828ec80f40448e23c4a09f372637', '');
INSERT INTO public.facts VALUES (9, 4, 'o2', 'observation', 'ann', '2026-11-16 17:11:47.502486+00', 'a8d7225d91f449a7bfdd89fa84371005', '');
INSERT INTO public.facts VALUES (9, 5, 'p3', 'proposal', NULL, '2026-11-16 17:11:47.523012+00', 'f6edd1cdd65c475ca3d7833d98c24c5c', '');
INSERT INTO public.facts VALUES (9, 6, 'o3', 'observation', 'ann', '2026-11-16 17:11:47.525108+00', '3b01b6706e1248efb06c9f1d4621a834', '');
INSERT INTO public.facts VALUES (9, 7, 'p4', 'proposal', NULL, '2026-11-16 17:11:47.538659+00', 'd2fde95276c84174b7dbf5995d72330f', '');
INSERT INTO public.facts VALUES (9, 8, 'o4', 'observation', 'ann', '2026-11-16 17:11:47.551529+00', 'b48784fa25ec49a59caa75862232637d', '');
INSERT INTO public.facts VALUES (9, 9, 'o5', 'observation', 'ann', '2026-11-16 17:11:48.959795+00', '270f69c90b9b4a3d8779d58b1e275b35', '');
INSERT INTO public.facts VALUES (9, 10, 'o6', 'observation', 'ann', '2026-11-16 17:11:48.975842+00', 'ab9d174fa7f446d3ac98b0cf1514a684', '');
INSERT INTO public.facts VALUES (9, 11, 'p5', 'proposal', NULL, '2026-11-16 17:11:48.994912+00', '14f8ca2e04c047e981fe85e7b6774c44', '');
INSERT INTO public.facts VALUES (9, 12, 'o7', 'observation', 'ann', '2026-11-16 17:11:49.007695+00', '23f3030c686f4ce58ccb2fdb0e0ed414', '');
INSERT INTO public.facts VALUES (9, 13, 'p6', 'proposal', NULL, '2026-11-16 17:11:49.028081+00', '0bbed3658ce74d55ab65bd6a12a5f366', '');
INSERT INTO public.facts VALUES (9, 14, 'o8', 'observation', 'ann', '2026-11-16 17:11:49.031428+00', '1deb60e6a0f04873bd3c19b5ff329046', '');
INSERT INTO public.facts VALUES (9, 15, 'p7', 'proposal', NULL, '2026-11-16 17:11:49.04457+00', '599d71d38d7844dc95644d03779c4d26', '');
INSERT INTO public.facts VALUES (9, 16, 'o9', 'observation', 'ann', '2026-11-16 17:11:49.051562+00', 'b86aa2419ba6493ab616288d68ffc6bd', '');
INSERT INTO public.facts VALUES (9, 17, 'p8', 'proposal', NULL, '2026-11-16 17:11:49.055053+00', 'b2653e078ea544d99bc75b39bab67a27', '');
INSERT INTO public.facts VALUES (10, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:49.077389+00', '92941a7f98ae4df8ab71fc5880dc913d', '');
INSERT INTO public.facts VALUES (10, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:49.085265+00', 'cc69a631172149e3b99baea797aa765d', '');
INSERT INTO public.facts VALUES (10, 3, 'p2', 'proposal', NULL, '2026-11-16 17:11:53.972821+00', '6bd20a857ea34f19a765f526c79b31e8', '');
INSERT INTO public.facts VALUES (10, 4, 'o2', 'observation', 'ann', '2026-11-16 17:11:53.975119+00', 'e51bd7958e88453da73877ae5716ed7e', '');
INSERT INTO public.facts VALUES (10, 5, 'p3', 'proposal', NULL, '2026-11-16 17:11:53.981741+00', '530231ff25a746acac879291f29482e9', '');
INSERT INTO public.facts VALUES (10, 6, 'o3', 'observation', 'ann', '2026-11-16 17:11:53.987533+00', '39277f214790404db57d09bf614c5702', '');
INSERT INTO public.facts VALUES (10, 7, 'p4', 'proposal', NULL, '2026-11-16 17:11:53.995225+00', '73cc92172ce845c9a99cbc1c33354756', '');
INSERT INTO public.facts VALUES (10, 8, 'o4', 'observation', 'ann', '2026-11-16 17:11:53.996798+00', '90149c321e2647a38b4d0ee868ee4f86', '');
INSERT INTO public.facts VALUES (10, 9, 'p5', 'proposal', NULL, '2026-11-16 17:11:54.003184+00', 'adc49ae8781c448cb6bdb81e54e82098', '');
INSERT INTO public.facts VALUES (10, 10, 'o5', 'observation', 'ann', '2026-11-16 17:11:54.004631+00', '9a06edbc344f4e6d951d8b9074a3a18d', '');
INSERT INTO public.facts VALUES (10, 11, 'p6', 'proposal', NULL, '2026-11-16 17:11:54.014933+00', '3fd2b48d23a44e8b830abf9928e82f87', '');
INSERT INTO public.facts VALUES (10, 12, 'o6', 'observation', 'ann', '2026-11-16 17:11:54.016532+00', 'cd54e6f2461f4743809a07a7d65a9d5f', '');
INSERT INTO public.facts VALUES (10, 13, 'p7', 'proposal', NULL, '2026-11-16 17:11:54.019874+00', '1e53cb26725640ceb2aa73d876f25efc', '');
INSERT INTO public.facts VALUES (10, 14, 'o7', 'observation', 'ann', '2026-11-16 17:11:54.021246+00', 'e754a87dc8da4942b9fefe03cab5308a', '');
INSERT INTO public.facts VALUES (10, 15, 'p8', 'proposal', NULL, '2026-11-16 17:11:54.027167+00', '2937033d88ed469b990f1d567e6bc99c', '');
INSERT INTO public.facts VALUES (11, 1, 'p1', 'proposal', NULL, '2026-11-16 17:11:54.05241+00', '74ec1b55b3ef412a8757904abb4e27e7', '');
INSERT INTO public.facts VALUES (11, 2, 'o1', 'observation', 'ann', '2026-11-16 17:11:54.059597+00', '072c83424adc47079671e33615566817', '');
INSERT INTO public.facts VALUES (11, 3, 'p2', 'proposal', NULL, '2026-11-16 17:12:00.8271+00', 'f5f6aed58ed74818903e9551b3f0d2f2', '');
INSERT INTO public.facts VALUES (11, 4, 'o2', 'observation', 'ann', '2026-11-16 17:12:00.83148+00', '7a47062cda0f4124a82ba41b5fcb490e', '');
INSERT INTO public.facts VALUES (11, 5, 'p3', 'proposal', NULL, '2026-11-16 17:12:00.840882+00', '10dc47acd86f4390a7a3c7c57479a6ba', '');
INSERT INTO public.facts VALUES (11, 6, 'o3', 'observation', 'ann', '2026-11-16 17:12:00.847316+00', '951bae79feba4e848a9b624466edf05c', '');
INSERT INTO public.facts VALUES (11, 7, 'p4', 'proposal', NULL, '2026-11-16 17:12:00.85129+00', 'a7b5090d1a00496bac0a3048a47fd0fe', '');
INSERT INTO public.facts VALUES (11, 8, 'o4', 'observation', 'ann', '2026-11-16 17:12:00.852999+00', 'afe213efa24041aab6b48f714c29ef50', '');
INSERT INTO public.facts VALUES (11, 9, 'p5', 'proposal', NULL, '2026-11-16 17:12:00.859682+00', '5164c1caf6164b23b743bc8a848a4826', '');
INSERT INTO public.facts VALUES (11, 10, 'o5', 'observation', 'ann', '2026-11-16 17:12:00.863287+00', 'aea986a8acea4564b793d09828b0b9de', '');
INSERT INTO public.facts VALUES (11, 11, 'p6', 'proposal', NULL, '2026-11-16 17:12:00.871895+00', '6965d207b38b4782ac42b99475da1d50', '');
INSERT INTO public.facts VALUES (11, 12, 'o6', 'observation', 'ann', '2026-11-16 17:12:00.873618+00', '065585a6200d4ca3b0781703effa093e', '');
INSERT INTO public.facts VALUES (11, 13, 'p7', 'proposal', NULL, '2026-11-16 17:12:00.879762+00', 'c9c7840cb00f4d5883c8c262cfbc0d90', '');
INSERT INTO public.facts VALUES (11, 14, 'o7', 'observation', 'ann', '2026-11-16 17:12:00.883307+00', '23e99bd611724e89a1672c62c0d9cd90', '');
INSERT INTO public.facts VALUES (11, 15, 'p8', 'proposal', NULL, '2026-11-16 17:12:00.891884+00', 'cf879892f7d247eea492db5bc3b1581c', '');
INSERT INTO public.facts VALUES (12, 1, 'p1', 'proposal', NULL, '2026-11-16 17:12:00.920731+00', '6c56eb7b8c9444eea7f77eb7f6a79774', '');
INSERT INTO public.facts VALUES (12, 2, 'o1', 'observation', 'ann', '2026-11-16 17:12:00.928643+00', '1ff90838a5624b28a2db41299d6e13f4', '');
INSERT INTO public.facts VALUES (12, 3, 'p2', 'proposal', NULL, '2026-11-16 17:12:02.427504+00', '0382bb2703df46e590a5e770fe2aab36', '');
INSERT INTO public.facts VALUES (12, 4, 'o2', 'observation', 'ann', '2026-11-16 17:12:02.441515+00', '1dd22ce0a3cb4045bf24972709aa1590', '');
INSERT INTO public.facts VALUES (12, 5, 'p3', 'proposal', NULL, '2026-11-16 17:12:02.449765+00', '3619c097d4774aa4848302032eba4aec', '');
INSERT INTO public.facts VALUES (12, 6, 'o3', 'observation', 'ann', '2026-11-16 17:12:02.455125+00', 'ddbaa19cf1c245ec937062af14a01331', '');
INSERT INTO public.facts VALUES (12, 7, 'p4', 'proposal', NULL, '2026-11-16 17:12:02.485789+00', 'eac49e665bab408ca912d5bb55bffc4a', '');
INSERT INTO public.facts VALUES (12, 8, 'o4', 'observation', 'ann', '2026-11-16 17:12:02.495221+00', '3285d184faad49dc89719724528ca009', '');
INSERT INTO public.facts VALUES (12, 9, 'p5', 'proposal', NULL, '2026-11-16 17:12:02.507211+00', 'b4ba7bf681774e7b9648c8cf2f8a1056', '');
INSERT INTO public.facts VALUES (12, 10, 'o5', 'observation', 'ann', '2026-11-16 17:12:02.508988+00', 'dd73cca288524935af8f861c6c243469', '');
INSERT INTO public.facts VALUES (12, 11, 'p6', 'proposal', NULL, '2026-11-16 17:12:02.527003+00', '42c49460cc374fa78f457e016c15e990', '');
INSERT INTO public.facts VALUES (12, 12, 'o6', 'observation', 'ann', '2026-11-16 17:12:02.528466+00', 'e37bd8a7f3cc4ae6a4fc16e2d37c1525', '');
INSERT INTO public.facts VALUES (12, 13, 'p7', 'proposal', NULL, '2026-11-16 17:12:02.534837+00', '88de7c778eb94164b1c3dac00900ba6d', '');
INSERT INTO public.facts VALUES (12, 14, 'o7', 'observation', 'ann', '2026-11-16 17:12:02.539285+00', 'a724756f3750405691a4de5d46dae3fd', '');
INSERT INTO public.facts VALUES (12, 15, 'p8', 'proposal', NULL, '2026-11-16 17:12:02.55117+00', 'a971980d94154c95b609f7a327bd0074', '');
INSERT INTO public.facts VALUES (13, 1, 'p1', 'proposal', NULL, '2026-11-16 17:12:02.576797+00', '88ef85818157463b8b2a7b7aab557183', '');
INSERT INTO public.facts VALUES (13, 2, 'o1', 'observation', 'ann', '2026-11-16 17:12:02.582791+00', '9d46015cf02c4c8e9f96ff8f80ebec27', '');
INSERT INTO public.facts VALUES (13, 3, 'p2', 'proposal', NULL, '2026-11-16 17:12:02.591537+00', '1c309abdce3a48cc9436ef73e985c2af', '');
INSERT INTO public.facts VALUES (13, 4, 'o2', 'observation', 'ann', '2026-11-16 17:12:02.592887+00', '63b3a64cf9094a82ae1db7913bfd10ca', '');
INSERT INTO public.facts VALUES (13, 5, 'p3', 'proposal', NULL, '2026-11-16 17:12:02.594071+00', '1aeffe7a2dd54773b7095b14e0fa7912', '');
INSERT INTO public.facts VALUES (13, 6, 'o3', 'observation', 'ann', '2026-11-16 17:12:02.595361+00', '2a139cc0fecd4e15ac14c55d659d58b5', '');
INSERT INTO public.facts VALUES (13, 7, 'p4', 'proposal', NULL, '2026-11-16 17:12:07.627576+00', '21a4136f3a6a4ed0aa44d96635186145', '');
INSERT INTO public.facts VALUES (13, 8, 'o4', 'observation', 'ann', '2026-11-16 17:12:07.639551+00', 'e2350501b3d24944b0e6d4b30f9107fa', '');
INSERT INTO public.facts VALUES (13, 9, 'p5', 'proposal', NULL, '2026-11-16 17:12:07.666946+00', '245bb59f1dc04e9487ffa27625cf410a', '');
INSERT INTO public.facts VALUES (13, 10, 'o5', 'observation', 'ann', '2026-11-16 17:12:07.669004+00', '19cd945ed97048f0a0385ac8eaa2020a', '');
INSERT INTO public.facts VALUES (13, 11, 'p6', 'proposal', NULL, '2026-11-16 17:12:07.706738+00', 'f9a7eecd240049d7aa121e84f0eb6577', '');
INSERT INTO public.facts VALUES (13, 12, 'o6', 'observation', 'ann', '2026-11-16 17:12:07.711471+00', 'b1fbcaec870a4036ad907e0eba0a1ce7', '');
INSERT INTO public.facts VALUES (13, 13, 'p7', 'proposal', NULL, '2026-11-16 17:12:07.758991+00', '776ba0d332474f108a69ac97ee5c8c41', '');
INSERT INTO public.facts VALUES (13, 14, 'o7', 'observation', 'ann', '2026-11-16 17:12:07.763391+00', '6fa32fc0decf4cb3abbb7200abf88aa6', '');
INSERT INTO public.facts VALUES (13, 15, 'p8', 'proposal', NULL, '2026-11-16 17:12:07.815455+00', '2b5e0492e3c14e3aa9daaca6f6550a46', '');
INSERT INTO public.facts VALUES (14, 1, 'p1', 'proposal', NULL, '2026-11-16 17:12:07.878749+00', '3bec65c1646b44dd8825351d85decf6f', '');
INSERT INTO public.facts VALUES (14, 2, 'p2', 'proposal', NULL, '2026-11-16 17:12:07.883541+00', '56a96c3a8fc0438f8ef0e3edfe6fcb53', '');
INSERT INTO public.facts VALUES (14, 3, 'c1', 'comparison', 'ann', '2026-11-16 17:12:07.887231+00', 'bca587a19f1648b09a3c0d899ef21c8e', '');
INSERT INTO public.facts VALUES (14, 4, 'p3', 'proposal', NULL, '2026-11-16 17:12:07.891838+00', 'c6147c062b764f6087fd8b4a611ae327', '');
INSERT INTO public.facts VALUES (14, 5, 'p4', 'proposal', NULL, '2026-11-16 17:12:07.90369+00', 'e0befa550dc544a1811daa06e6e1a3df', '');
INSERT INTO public.facts VALUES (14, 6, 'c2', 'comparison', 'ann', '2026-11-16 17:12:07.910334+00', '769ab64a83154b67b38ab95a143bf50e', '');
INSERT INTO public.facts VALUES (14, 7, 'p5', 'proposal', NULL, '2026-11-16 17:12:07.91489+00', '40e38e0cfb93495d8121c1a12d4d5a5a', '');
INSERT INTO public.facts VALUES (14, 8, 'p6', 'proposal', NULL, '2026-11-16 17:12:07.923769+00', '3f55bd7e5f554f7fad8d1e8e14bcc343', '');
INSERT INTO public.facts VALUES (14, 9, 'c3', 'comparison', 'ann', '2026-11-16 17:12:07.927514+00', 'ae6b24f2c29645948bfe56b7f72f805b', '');
INSERT INTO public.facts VALUES (14, 10, 'p7', 'proposal', NULL, '2026-11-16 17:12:22.143675+00', 'd9a8434ee3184c3f8a65ab21d7e4f0d9', '');
INSERT INTO public.facts VALUES (14, 11, 'p8', 'proposal', NULL, '2026-11-16 17:12:24.814321+00', 'ac29d6b18a234cbfadaeacb0b0d52a12', '');
INSERT INTO public.facts VALUES (14, 12, 'c4', 'comparison', 'ann', '2026-11-16 17:12:24.819457+00', 'b7e2cce9421345489e6539196a8e7494', '');
INSERT INTO public.facts VALUES (14, 13, 'p9', 'proposal', NULL, '2026-11-16 17:12:24.878743+00', 'cffbacdb53b34abb9a6e0dfd3c8f11d3', '');
INSERT INTO public.facts VALUES (15, 1, 'p1', 'proposal', NULL, '2026-11-16 17:12:24.909423+00', 'd9317029b5564dfebd2816b9c9606eb7', '');
INSERT INTO public.facts VALUES (15, 2, 'o1', 'observation', 'anonymous', '2026-11-16 17:12:24.918218+00', '7a7a3089fc274ab38304b637dcb26baa', '');
INSERT INTO public.facts VALUES (15, 3, 'p2', 'proposal', NULL, '2026-11-16 17:12:24.942208+00', 'd2bd4bd2d7764bd1ae7b1493d8106c70', '');
INSERT INTO public.facts VALUES (15, 4, 'o2', 'observation', 'anonymous', '2026-11-16 17:12:24.947539+00', '0f636a90295c4c2ab522663c400213f2', '');
INSERT INTO public.facts VALUES (15, 5, 'p3', 'proposal', NULL, '2026-11-16 17:12:24.967704+00', '7c5f50bc844e4c478814729f1c0cc270', '');
INSERT INTO public.facts VALUES (15, 6, 'o3', 'observation', 'anonymous', '2026-11-16 17:12:24.975324+00', '842ce0c0a4e148fc8861c4ee849c71af', '');
INSERT INTO public.facts VALUES (15, 7, 'p4', 'proposal', NULL, '2026-11-16 17:12:34.089744+00', 'a97176239c5d4b2191a6b5f9090a2e5b', '');
INSERT INTO public.facts VALUES (15, 8, 'o4', 'observation', 'anonymous', '2026-11-16 17:12:34.09584+00', '091d3038064245879a2705915a6206b1', '');
INSERT INTO public.facts VALUES (15, 9, 'p5', 'proposal', NULL, '2026-11-16 17:12:34.139128+00', 'afce91d585f74e6bb2a5323dc2e6aadd', '');
INSERT INTO public.facts VALUES (15, 10, 'o5', 'observation', 'anonymous', '2026-11-16 17:12:34.143339+00', 'bc044ef95eda4bfa8345231004933351', '');
INSERT INTO public.facts VALUES (15, 11, 'p6', 'proposal', NULL, '2026-11-16 17:12:34.186531+00', '7683c704b41949cb844a059fd2f5f0e7', '');
INSERT INTO public.facts VALUES (15, 12, 'o6', 'observation', 'anonymous', '2026-11-16 17:12:34.188747+00', '22e5a6eddba14e92b4d2288f32fa7d35', '');
INSERT INTO public.facts VALUES (15, 13, 'p7', 'proposal', NULL, '2026-11-16 17:12:34.237857+00', '7a47f234f5dd49a6b3d7b22f24a56176', '');
INSERT INTO public.facts VALUES (15, 14, 'o7', 'observation', 'anonymous', '2026-11-16 17:12:34.240068+00', 'a98bd4520171420fa5fbec45e963c07c', '');
INSERT INTO public.facts VALUES (15, 15, 'p8', 'proposal', NULL, '2026-11-16 17:12:34.294011+00', 'af67f16cd51b43dca57558a456b4863f', '');
INSERT INTO public.facts VALUES (15, 16, 'p9', 'proposal', NULL, '2026-11-16 17:12:34.878371+00', 'b8ddb16398514920a6ff662e17adef48', '');
INSERT INTO public.facts VALUES (16, 1, 'p1', 'proposal', NULL, '2026-11-16 17:12:34.898694+00', '6f497f4d86ea4a8ea330136e9437d129', '');
INSERT INTO public.facts VALUES (16, 2, 'o1', 'observation', 'ann', '2026-11-16 17:12:34.90379+00', '248bba6a96c4418587355b64f415e5fd', '');
INSERT INTO public.facts VALUES (16, 3, 'p2', 'proposal', NULL, '2026-11-16 17:12:34.90842+00', '38c0e727bd17466fa655071470092c74', '');
INSERT INTO public.facts VALUES (16, 4, 'o2', 'observation', 'ann', '2026-11-16 17:12:34.9121+00', '70785b2ea9fc435bb687947d829226c3', '');
INSERT INTO public.facts VALUES (16, 5, 'p3', 'proposal', NULL, '2026-11-16 17:12:34.915641+00', '4053a38cd5b6470cbaa00c00a89ffc72', '');
INSERT INTO public.facts VALUES (16, 6, 'd1', 'decision', 'bob', '2026-11-16 17:12:34.919599+00', '0721988f988d4bfe83a53865ed7fa77f', '');
INSERT INTO public.facts VALUES (16, 7, 'o3', 'observation', 'bob', '2026-11-16 17:12:34.923398+00', '52af8202e76b4ea0bf4da00fcde1969e', '');
INSERT INTO public.facts VALUES (16, 8, 'p4', 'proposal', NULL, '2026-11-16 17:12:34.928305+00', '62681bb92bf546ca81b5b3253b9cf421', '');
INSERT INTO public.facts VALUES (16, 9, 'o4', 'observation', 'ann', '2026-11-16 17:12:34.931511+00', '1d2cd14969ae4edaa68177171348241b', '');
INSERT INTO public.facts VALUES (16, 10, 'p5', 'proposal', NULL, '2026-11-16 17:12:46.35674+00', '86a55836d8fa45a1b285b213ef21018a', '');
INSERT INTO public.facts VALUES (16, 11, 'd2', 'decision', 'ann', '2026-11-16 17:12:46.383385+00', '20b52be5453445d3be977c73a3283b8a', '');
INSERT INTO public.facts VALUES (16, 12, 'p6', 'proposal', NULL, '2026-11-16 17:12:46.489616+00', 'a0bc8818f6f74b3dab59bc659bc60f65', '');
INSERT INTO public.facts VALUES (16, 13, 'o5', 'observation', 'ann', '2026-11-16 17:12:46.503613+00', 'ea9d8ceab0f44190bb1b51bf1f3d00bb', '');
INSERT INTO public.facts VALUES (16, 14, 'p7', 'proposal', NULL, '2026-11-16 17:12:46.597671+00', 'fbf23e069a474af0afd363151dac507a', '');
INSERT INTO public.facts VALUES (16, 15, 'o6', 'observation', 'ann', '2026-11-16 17:12:46.611688+00', '65915aae5ba54eb6bf492b0e88ca60a1', '');
INSERT INTO public.facts VALUES (16, 16, 'p8', 'proposal', NULL, '2026-11-16 17:12:46.658305+00', '554da8a3eed44fbdb4667f16c1942f8e', '');
INSERT INTO public.facts VALUES (16, 17, 'o7', 'observation', 'ann', '2026-11-16 17:12:46.667537+00', 'cdbc1586d9a94453a86373e2d8c69070', '');
INSERT INTO public.facts VALUES (16, 18, 'p9', 'proposal', NULL, '2026-11-16 17:12:46.729495+00', '2540d293a4804aabbd2b1d5ff33e0af5', '');
INSERT INTO public.facts VALUES (16, 19, 'o8', 'observation', 'ann', '2026-11-16 17:12:46.74766+00', '4078e16ead2f44f48f86233d0bdde05d', '');
INSERT INTO public.facts VALUES (16, 20, 'r1', 'revision', 'ann', '2026-11-16 17:12:46.758144+00', '6d7542f015864b33ac047d5f608f3bd8', '');
INSERT INTO public.facts VALUES (16, 21, 'o9', 'observation', 'bob', '2026-11-16 17:12:46.76327+00', 'c767d1170cae4702bbef3552399f69ba', '');
INSERT INTO public.facts VALUES (16, 22, 'c1', 'comparison', 'ann', '2026-11-16 17:12:46.764537+00', '6fc140c82679414ea11725d8c5a66453', '');
INSERT INTO public.facts VALUES (16, 23, 'w1', 'withdrawal', 'bob', '2026-11-16 17:12:46.767563+00', '59100e44a3684f87b53efb8eae0eeeea', '');
INSERT INTO public.facts VALUES (16, 24, 'p10', 'proposal', NULL, '2026-11-16 17:12:46.827152+00', 'b35a6c769ab5431ba3c06c13cf36c5b2', '');
INSERT INTO public.observations VALUES (1, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (1, 4, 'p2', '{"a": 0.051080301331523525, "b": 0.30663013112611176, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (1, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (1, 9, 'p4', '{"a": 1.7967748795677236, "b": 0.08157373705864131, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (1, 13, 'p6', '{"a": 0.913985515209488, "b": 0.46274391093982964, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (1, 15, 'p7', '{"a": 1.3644598152166645, "b": 0.15858994070304777, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (1, 17, 'p8', '{"a": 0.7015389348960501, "b": 0.7594543015228757, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (1, 19, 'p9', '{"a": 1.9553865228688754, "b": 0.06288238649642604, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (1, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (2, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (2, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 13, 'p6', '{"a": 0.10766646443462305, "b": 0.01966232814853089, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 15, 'p7', '{"a": 0.2082286681346941, "b": 0.19544866553371767, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 17, 'p8', '{"a": 1.0842436892046494, "b": 0.06916672048744109, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 19, 'p9', '{"a": 0.57346334531082, "b": 0.7116788718984964, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (2, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (3, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (3, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 13, 'p6', '{"a": 1.365192912684072, "b": 0.011605088018264266, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 15, 'p7', '{"a": 0.0, "b": 0.3031170463020151, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 17, 'p8', '{"a": 0.01193899004467433, "b": 0.01373685555290569, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 19, 'p9', '{"a": 0.837143719754818, "b": 0.40875810882900226, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (3, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (4, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (4, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 13, 'p6', '{"a": 0.08623615790773849, "b": 0.04064383541789294, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 15, 'p7', '{"a": 0.7873830404622386, "b": 0.06083470700092191, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 17, 'p8', '{"a": 0.5058048685488999, "b": 0.17583393883009896, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 19, 'p9', '{"a": 0.5759236663854217, "b": 1.0, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (4, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (5, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (5, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 13, 'p6', '{"a": 0.9075941429183, "b": 0.06213998626357707, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 15, 'p7', '{"a": 0.11573612417332656, "b": 0.1374875873194938, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 17, 'p8', '{"a": 0.49998161972154076, "b": 0.14526136923960734, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 19, 'p9', '{"a": 0.471805145128694, "b": 0.09962613433193744, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (5, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (6, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (6, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 13, 'p6', '{"a": 0.6253972031597179, "b": 0.014632348378786023, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 15, 'p7', '{"a": 0.0, "b": 0.012312330610223353, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 17, 'p8', '{"a": 0.8541101675110232, "b": 0.22089289885192426, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 19, 'p9', '{"a": 0.3832616476437867, "b": 1.0, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (6, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (7, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (7, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 13, 'p6', '{"a": 0.1614083742684775, "b": 0.017855561571235624, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 15, 'p7', '{"a": 0.0960399807334457, "b": 0.20357957364153187, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 17, 'p8', '{"a": 1.0411479722464894, "b": 0.036946378394782195, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 19, 'p9', '{"a": 0.57987059381509, "b": 0.8191554131822646, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (7, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (8, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (8, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 13, 'p6', '{"a": 0.10000482855233608, "b": 0.012349323448257404, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 15, 'p7', '{"a": 0.0829014606291295, "b": 0.2589092141749409, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 17, 'p8', '{"a": 1.1476807631604817, "b": 0.03832331587576855, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 19, 'p9', '{"a": 0.5837406509267558, "b": 0.5401846212849816, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (8, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (9, 2, 'p1', '{"speed": 0.4, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (9, 4, 'p2', '{"speed": 0.1, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (9, 6, 'p3', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (9, 8, 'p4', '{"speed": 0.1, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (9, 9, 'p4', '{"speed": 0.1, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (9, 10, 'p4', '{"speed": 0.1, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (9, 12, 'p5', '{"speed": 0.6, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (9, 14, 'p6', '{"speed": 0.3, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (9, 16, 'p7', '{"speed": 0.4, "gap": 1.0}', '{}');
INSERT INTO public.observations VALUES (10, 2, 'p1', '{"speed": 0.4, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (10, 4, 'p2', '{"speed": 0.1, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (10, 6, 'p3', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (10, 8, 'p4', '{"speed": 0.1, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (10, 10, 'p5', '{"speed": 0.6, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (10, 12, 'p6', '{"speed": 0.3, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (10, 14, 'p7', '{"speed": 0.2, "gap": 1.0}', '{}');
INSERT INTO public.observations VALUES (11, 2, 'p1', '{"speed": 0.4, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (11, 4, 'p2', '{"speed": 0.1, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (11, 6, 'p3', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (11, 8, 'p4', '{"speed": 0.1, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (11, 10, 'p5', '{"speed": 0.6, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (11, 12, 'p6', '{"speed": 0.3, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (11, 14, 'p7', '{"speed": 0.2, "gap": 1.0}', '{}');
INSERT INTO public.observations VALUES (12, 2, 'p1', '{"speed": 0.4, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (12, 4, 'p2', '{"speed": 0.3, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (12, 6, 'p3', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (12, 8, 'p4', '{"speed": 0.6, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (12, 10, 'p5', '{"speed": 0.6, "gap": 1.0}', '{}');
INSERT INTO public.observations VALUES (12, 12, 'p6', '{"speed": 0.6, "gap": 1.0}', '{}');
INSERT INTO public.observations VALUES (12, 14, 'p7', '{"speed": 0.4, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (13, 2, 'p1', '{"speed": 0.4, "gap": 0.5}', '{}');
INSERT INTO public.observations VALUES (13, 4, 'p2', '{"speed": 0.1, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (13, 6, 'p3', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (13, 8, 'p4', '{"speed": 0.4, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (13, 10, 'p5', '{"speed": 0.6, "gap": 1.0}', '{}');
INSERT INTO public.observations VALUES (13, 12, 'p6', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (13, 14, 'p7', '{"speed": 0.6, "gap": 1.5}', '{}');
INSERT INTO public.observations VALUES (15, 2, 'p1', '{"x": 0.33187239186810047, "k": 3}', '{"day": 1}');
INSERT INTO public.observations VALUES (15, 4, 'p2', '{"x": 0.9175990760222543, "k": 5}', '{"day": 2}');
INSERT INTO public.observations VALUES (15, 6, 'p3', '{"x": 0.8743782125824178, "k": 1}', '{"day": 3}');
INSERT INTO public.observations VALUES (15, 8, 'p4', '{"x": 0.8234520014856523, "k": 5}', '{"day": 4}');
INSERT INTO public.observations VALUES (15, 10, 'p5', '{"x": 1.0, "k": 4}', '{"day": 5}');
INSERT INTO public.observations VALUES (15, 12, 'p6', '{"x": 1.0, "k": 4}', '{"day": 1}');
INSERT INTO public.observations VALUES (15, 14, 'p7', '{"x": 1.0, "k": 5}', '{"day": 2}');
INSERT INTO public.observations VALUES (16, 2, 'p1', '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (16, 4, 'p2', '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (16, 7, 'p3', '{"a": 1.0, "b": 0.5, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (16, 9, 'p4', '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (16, 13, 'p6', '{"a": 1.5023135578357476, "b": 0.02461402003411567, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (16, 15, 'p7', '{"a": 0.4608102135709912, "b": 0.17495125886172547, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (16, 17, 'p8', '{"a": 0.9936444226880169, "b": 0.09162644332473449, "mode": "stiff"}', '{}');
INSERT INTO public.observations VALUES (16, 19, 'p9', '{"a": 0.9103640504783167, "b": 0.02498136998356058, "mode": "soft"}', '{}');
INSERT INTO public.observations VALUES (16, 21, NULL, '{"a": 0.2, "b": 0.3, "mode": "stiff"}', '{}');
INSERT INTO public.outcomes VALUES (1, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (1, 4, 'comfort', 0, 0.305957);
INSERT INTO public.outcomes VALUES (1, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (1, 9, 'comfort', 0, -0.738082);
INSERT INTO public.outcomes VALUES (1, 13, 'comfort', 0, 0.620455);
INSERT INTO public.outcomes VALUES (1, 15, 'comfort', 0, -0.735159);
INSERT INTO public.outcomes VALUES (1, 17, 'comfort', 0, 1.240597);
INSERT INTO public.outcomes VALUES (1, 19, 'comfort', 0, -0.073602);
INSERT INTO public.outcomes VALUES (1, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (1, 21, 'comfort', 0, 0.7);
INSERT INTO public.outcomes VALUES (2, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (2, 4, 'comfort', 0, -0.51836);
INSERT INTO public.outcomes VALUES (2, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (2, 9, 'comfort', 0, 0.03153);
INSERT INTO public.outcomes VALUES (2, 13, 'comfort', 0, 0.627243);
INSERT INTO public.outcomes VALUES (2, 15, 'comfort', 0, 0.982567);
INSERT INTO public.outcomes VALUES (2, 17, 'comfort', 0, 0.223674);
INSERT INTO public.outcomes VALUES (2, 19, 'comfort', 0, 1.644671);
INSERT INTO public.outcomes VALUES (2, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (2, 21, 'comfort', 0, 0.7);
INSERT INTO public.outcomes VALUES (3, 2, 'comfort', 0, -1.331297);
INSERT INTO public.outcomes VALUES (3, 4, 'comfort', 0, 0.51836);
INSERT INTO public.outcomes VALUES (3, 7, 'comfort', 0, -0.39112000805986724);
INSERT INTO public.outcomes VALUES (3, 9, 'comfort', 0, -0.03153);
INSERT INTO public.outcomes VALUES (3, 13, 'comfort', 0, 0.509925);
INSERT INTO public.outcomes VALUES (3, 15, 'comfort', 0, -0.451559);
INSERT INTO public.outcomes VALUES (3, 17, 'comfort', 0, -0.342678);
INSERT INTO public.outcomes VALUES (3, 19, 'comfort', 0, -1.093654);
INSERT INTO public.outcomes VALUES (3, 20, 'comfort', 0, -0.5);
INSERT INTO public.outcomes VALUES (3, 21, 'comfort', 0, -0.7);
INSERT INTO public.outcomes VALUES (4, 2, 'comfort', 0, -1.331297);
INSERT INTO public.outcomes VALUES (4, 4, 'comfort', 0, 0.51836);
INSERT INTO public.outcomes VALUES (4, 7, 'comfort', 0, -0.39112000805986724);
INSERT INTO public.outcomes VALUES (4, 9, 'comfort', 0, -0.03153);
INSERT INTO public.outcomes VALUES (4, 13, 'comfort', 0, -0.576154);
INSERT INTO public.outcomes VALUES (4, 15, 'comfort', 0, -1.033301);
INSERT INTO public.outcomes VALUES (4, 17, 'comfort', 0, -1.386493);
INSERT INTO public.outcomes VALUES (4, 19, 'comfort', 0, -1.787705);
INSERT INTO public.outcomes VALUES (4, 20, 'comfort', 0, -0.5);
INSERT INTO public.outcomes VALUES (4, 21, 'comfort', 0, -0.7);
INSERT INTO public.outcomes VALUES (5, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (5, 4, 'comfort', 0, -0.51836);
INSERT INTO public.outcomes VALUES (5, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (5, 9, 'comfort', 0, 0.03153);
INSERT INTO public.outcomes VALUES (5, 13, 'comfort', 0, 0.737744);
INSERT INTO public.outcomes VALUES (5, 15, 'comfort', 0, 0.709018);
INSERT INTO public.outcomes VALUES (5, 17, 'comfort', 0, 1.370122);
INSERT INTO public.outcomes VALUES (5, 19, 'comfort', 0, 1.337766);
INSERT INTO public.outcomes VALUES (5, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (5, 21, 'comfort', 0, 0.7);
INSERT INTO public.outcomes VALUES (6, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (6, 4, 'comfort', 0, -0.51836);
INSERT INTO public.outcomes VALUES (6, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (6, 9, 'comfort', 0, 0.03153);
INSERT INTO public.outcomes VALUES (6, 13, 'comfort', 0, 1.261044);
INSERT INTO public.outcomes VALUES (6, 15, 'comfort', 0, 0.306156);
INSERT INTO public.outcomes VALUES (6, 17, 'comfort', 0, 0.957853);
INSERT INTO public.outcomes VALUES (6, 19, 'comfort', 0, 1.712676);
INSERT INTO public.outcomes VALUES (6, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (6, 21, 'comfort', 0, 0.7);
INSERT INTO public.outcomes VALUES (7, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (7, 4, 'comfort', 0, -0.51836);
INSERT INTO public.outcomes VALUES (7, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (7, 9, 'comfort', 0, 0.03153);
INSERT INTO public.outcomes VALUES (7, 13, 'comfort', 0, 0.77445);
INSERT INTO public.outcomes VALUES (7, 15, 'comfort', 0, 0.68594);
INSERT INTO public.outcomes VALUES (7, 17, 'comfort', 0, 0.336621);
INSERT INTO public.outcomes VALUES (7, 19, 'comfort', 0, 1.695362);
INSERT INTO public.outcomes VALUES (7, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (7, 21, 'comfort', 0, 0.7);
INSERT INTO public.outcomes VALUES (8, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (8, 4, 'comfort', 0, -0.51836);
INSERT INTO public.outcomes VALUES (8, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (8, 9, 'comfort', 0, 0.03153);
INSERT INTO public.outcomes VALUES (8, 13, 'comfort', 0, 0.601709);
INSERT INTO public.outcomes VALUES (8, 15, 'comfort', 0, 0.675603);
INSERT INTO public.outcomes VALUES (8, 17, 'comfort', 0, 0.022257);
INSERT INTO public.outcomes VALUES (8, 19, 'comfort', 0, 1.55386);
INSERT INTO public.outcomes VALUES (8, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (8, 21, 'comfort', 0, 0.7);
INSERT INTO public.outcomes VALUES (9, 2, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (9, 2, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (9, 2, 'jerk', 2, 1.4);
INSERT INTO public.outcomes VALUES (9, 4, 'progress', 0, 0.25);
INSERT INTO public.outcomes VALUES (9, 4, 'comfort', 1, 0.8);
INSERT INTO public.outcomes VALUES (9, 4, 'jerk', 2, -0.2);
INSERT INTO public.outcomes VALUES (9, 6, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (9, 6, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (9, 6, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (9, 8, 'progress', 0, 0.15);
INSERT INTO public.outcomes VALUES (9, 9, 'jerk', 0, 0.2);
INSERT INTO public.outcomes VALUES (9, 10, 'comfort', 0, 0.8);
INSERT INTO public.outcomes VALUES (9, 12, 'progress', 0, 0.65);
INSERT INTO public.outcomes VALUES (9, 12, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (9, 12, 'jerk', 2, 2.2);
INSERT INTO public.outcomes VALUES (9, 14, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (9, 14, 'comfort', 1, 0.6);
INSERT INTO public.outcomes VALUES (9, 14, 'jerk', 2, 0.6);
INSERT INTO public.outcomes VALUES (9, 16, 'progress', 0, 0.5);
INSERT INTO public.outcomes VALUES (9, 16, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (9, 16, 'jerk', 2, 1.2);
INSERT INTO public.outcomes VALUES (10, 2, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (10, 2, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (10, 2, 'jerk', 2, 1.4);
INSERT INTO public.outcomes VALUES (10, 4, 'progress', 0, 0.25);
INSERT INTO public.outcomes VALUES (10, 4, 'comfort', 1, 0.8);
INSERT INTO public.outcomes VALUES (10, 4, 'jerk', 2, -0.2);
INSERT INTO public.outcomes VALUES (10, 6, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (10, 6, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (10, 6, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (10, 8, 'progress', 0, 0.15);
INSERT INTO public.outcomes VALUES (10, 8, 'comfort', 1, 0.8);
INSERT INTO public.outcomes VALUES (10, 8, 'jerk', 2, 0.2);
INSERT INTO public.outcomes VALUES (10, 10, 'progress', 0, 0.65);
INSERT INTO public.outcomes VALUES (10, 10, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (10, 10, 'jerk', 2, 2.2);
INSERT INTO public.outcomes VALUES (10, 12, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (10, 12, 'comfort', 1, 0.6);
INSERT INTO public.outcomes VALUES (10, 12, 'jerk', 2, 0.6);
INSERT INTO public.outcomes VALUES (10, 14, 'progress', 0, 0.3);
INSERT INTO public.outcomes VALUES (10, 14, 'comfort', 1, 0.7);
INSERT INTO public.outcomes VALUES (10, 14, 'jerk', 2, 0.4);
INSERT INTO public.outcomes VALUES (11, 2, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (11, 2, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (11, 2, 'jerk', 2, 1.4);
INSERT INTO public.outcomes VALUES (11, 4, 'progress', 0, 0.25);
INSERT INTO public.outcomes VALUES (11, 4, 'comfort', 1, 0.8);
INSERT INTO public.outcomes VALUES (11, 4, 'jerk', 2, -0.2);
INSERT INTO public.outcomes VALUES (11, 6, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (11, 6, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (11, 6, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (11, 8, 'progress', 0, 0.15);
INSERT INTO public.outcomes VALUES (11, 8, 'comfort', 1, 0.8);
INSERT INTO public.outcomes VALUES (11, 8, 'jerk', 2, 0.2);
INSERT INTO public.outcomes VALUES (11, 10, 'progress', 0, 0.65);
INSERT INTO public.outcomes VALUES (11, 10, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (11, 10, 'jerk', 2, 2.2);
INSERT INTO public.outcomes VALUES (11, 12, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (11, 12, 'comfort', 1, 0.6);
INSERT INTO public.outcomes VALUES (11, 12, 'jerk', 2, 0.6);
INSERT INTO public.outcomes VALUES (11, 14, 'progress', 0, 0.3);
INSERT INTO public.outcomes VALUES (11, 14, 'comfort', 1, 0.7);
INSERT INTO public.outcomes VALUES (11, 14, 'jerk', 2, 0.4);
INSERT INTO public.outcomes VALUES (12, 2, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (12, 2, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (12, 2, 'jerk', 2, 1.4);
INSERT INTO public.outcomes VALUES (12, 4, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (12, 4, 'comfort', 1, 0.6);
INSERT INTO public.outcomes VALUES (12, 4, 'jerk', 2, 0.6);
INSERT INTO public.outcomes VALUES (12, 6, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (12, 6, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (12, 6, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (12, 8, 'progress', 0, 0.65);
INSERT INTO public.outcomes VALUES (12, 8, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (12, 8, 'jerk', 2, 2.2);
INSERT INTO public.outcomes VALUES (12, 10, 'progress', 0, 0.7);
INSERT INTO public.outcomes VALUES (12, 10, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (12, 10, 'jerk', 2, 2);
INSERT INTO public.outcomes VALUES (12, 12, 'progress', 0, 0.7);
INSERT INTO public.outcomes VALUES (12, 12, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (12, 12, 'jerk', 2, 2);
INSERT INTO public.outcomes VALUES (12, 14, 'progress', 0, 0.55);
INSERT INTO public.outcomes VALUES (12, 14, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (12, 14, 'jerk', 2, 1);
INSERT INTO public.outcomes VALUES (13, 2, 'progress', 0, 0.45);
INSERT INTO public.outcomes VALUES (13, 2, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (13, 2, 'jerk', 2, 1.4);
INSERT INTO public.outcomes VALUES (13, 4, 'progress', 0, 0.25);
INSERT INTO public.outcomes VALUES (13, 4, 'comfort', 1, 0.8);
INSERT INTO public.outcomes VALUES (13, 4, 'jerk', 2, -0.2);
INSERT INTO public.outcomes VALUES (13, 6, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (13, 6, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (13, 6, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (13, 8, 'progress', 0, 0.55);
INSERT INTO public.outcomes VALUES (13, 8, 'comfort', 1, 0.5);
INSERT INTO public.outcomes VALUES (13, 8, 'jerk', 2, 1);
INSERT INTO public.outcomes VALUES (13, 10, 'progress', 0, 0.7);
INSERT INTO public.outcomes VALUES (13, 10, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (13, 10, 'jerk', 2, 2);
INSERT INTO public.outcomes VALUES (13, 12, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (13, 12, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (13, 12, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (13, 14, 'progress', 0, 0.75);
INSERT INTO public.outcomes VALUES (13, 14, 'comfort', 1, 0.3);
INSERT INTO public.outcomes VALUES (13, 14, 'jerk', 2, 1.8);
INSERT INTO public.outcomes VALUES (15, 2, 'objective', 0, 0.895617);
INSERT INTO public.outcomes VALUES (15, 4, 'objective', 0, 4.387995);
INSERT INTO public.outcomes VALUES (15, 6, 'objective', 0, 0.574378);
INSERT INTO public.outcomes VALUES (15, 8, 'objective', 0, 3.71726);
INSERT INTO public.outcomes VALUES (15, 10, 'objective', 0, 3.5);
INSERT INTO public.outcomes VALUES (15, 12, 'objective', 0, 3.9);
INSERT INTO public.outcomes VALUES (15, 14, 'objective', 0, 4.8);
INSERT INTO public.outcomes VALUES (16, 2, 'comfort', 0, 1.331297);
INSERT INTO public.outcomes VALUES (16, 4, 'comfort', 0, -0.51836);
INSERT INTO public.outcomes VALUES (16, 7, 'comfort', 0, 0.39112000805986724);
INSERT INTO public.outcomes VALUES (16, 9, 'comfort', 0, 0.03153);
INSERT INTO public.outcomes VALUES (16, 13, 'comfort', 0, -0.966663);
INSERT INTO public.outcomes VALUES (16, 15, 'comfort', 0, 1.369787);
INSERT INTO public.outcomes VALUES (16, 17, 'comfort', 0, 0.505782);
INSERT INTO public.outcomes VALUES (16, 19, 'comfort', 0, 0.411559);
INSERT INTO public.outcomes VALUES (16, 20, 'comfort', 0, 0.5);
INSERT INTO public.outcomes VALUES (16, 21, 'comfort', 0, 0.7);
INSERT INTO public.people VALUES ('bob', '2026-11-16 17:10:49.492163+00');
INSERT INTO public.people VALUES ('ann', '2026-11-16 17:10:49.44898+00');
INSERT INTO public.people VALUES ('anonymous', '2026-11-16 17:12:24.918218+00');
INSERT INTO public.proposals VALUES (1, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (1, 3, 2, '{"a": 0.051080301331523525, "b": 0.30663013112611176, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (1, 5, 3, '{"a": 0.20559922992963608, "b": 0.04364085388675119, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (1, 8, 4, '{"a": 1.7967748795677236, "b": 0.08157373705864131, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (1, 10, 5, '{"a": 0.2733468315675638, "b": 0.5854640358927888, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 9, '', '{}');
INSERT INTO public.proposals VALUES (1, 12, 6, '{"a": 0.913985515209488, "b": 0.46274391093982964, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 11, '', '{}');
INSERT INTO public.proposals VALUES (1, 14, 7, '{"a": 1.3644598152166645, "b": 0.15858994070304777, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 13, '', '{}');
INSERT INTO public.proposals VALUES (1, 16, 8, '{"a": 0.7015389348960501, "b": 0.7594543015228757, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 15, '', '{}');
INSERT INTO public.proposals VALUES (1, 18, 9, '{"a": 1.9553865228688754, "b": 0.06288238649642604, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 17, '', '{}');
INSERT INTO public.proposals VALUES (1, 24, 10, '{"a": 1.5394948027410362, "b": 0.047279865329366, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'random', '[]', 23, '', '{}');
INSERT INTO public.proposals VALUES (2, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'v-ucb', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (2, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'v-ucb', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (2, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'v-ucb', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (2, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'v-ucb', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (2, 10, 5, '{"a": 0.007663896250461304, "b": 0.024534854192603192, "mode": "stiff"}', '{}', '[]', 0.9306397626129912, 0.535784426319831, '{"approximation": 1.071568852639662, "exploitation": 0.9306397626129912}', 'v-ucb', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824]', 9, '', '{}');
INSERT INTO public.proposals VALUES (2, 12, 6, '{"a": 0.10766646443462305, "b": 0.01966232814853089, "mode": "stiff"}', '{}', '[]', 0.9305823744210112, 0.5358214132234418, '{"approximation": 1.0716428264468836, "exploitation": 0.9305823744210112}', 'v-ucb', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518]', 11, '', '{}');
INSERT INTO public.proposals VALUES (2, 14, 7, '{"a": 0.2082286681346941, "b": 0.19544866553371767, "mode": "stiff"}', '{}', '[]', 0.9899072418010915, 0.46526065488485746, '{"approximation": 0.9305213097697149, "exploitation": 0.9899072418010915}', 'v-ucb', '[-1.1669736353162143, -1.2248093864387546, -1.0365658334319898, -0.0006450204358570192, -4.998838111619731]', 13, '', '{}');
INSERT INTO public.proposals VALUES (2, 16, 8, '{"a": 1.0842436892046494, "b": 0.06916672048744109, "mode": "stiff"}', '{}', '[]', 1.0405094192528155, 0.39811704552442095, '{"approximation": 0.7962340910488419, "exploitation": 1.0405094192528155}', 'v-ucb', '[-1.1483054025028046, -1.1200825235568805, -1.0367483317509132, -0.050921855447644084, -5.004195188735224]', 15, '', '{}');
INSERT INTO public.proposals VALUES (2, 18, 9, '{"a": 0.57346334531082, "b": 0.7116788718984964, "mode": "stiff"}', '{}', '[]', 1.0192515848295534, 0.3669964323548322, '{"approximation": 0.7339928647096644, "exploitation": 1.0192515848295534}', 'v-ucb', '[-1.6930332616770598, -0.5131358758409905, -1.0357277643038252, -0.05415325331100361, -5.007312013411124]', 17, '', '{}');
INSERT INTO public.proposals VALUES (2, 24, 10, '{"a": 0.1221544215759128, "b": 1.0, "mode": "stiff"}', '{}', '[]', 1.4611923687918358, 0.3440062371213159, '{"approximation": 0.6880124742426318, "exploitation": 1.4611923687918358}', 'v-ucb', '[-1.0553892294549054, -1.0681195394435616, -1.0348280765896072, 0.04133549833336646, -5.027896725383359]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (3, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'gp-ucb', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (3, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'gp-ucb', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (3, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'gp-ucb', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (3, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'gp-ucb', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (3, 10, 5, '{"a": 1.2651924477494934, "b": 0.010000000000000004, "mode": "stiff"}', '{}', '[]', -0.5490107811139033, 0.6544090619842204, '{"approximation": 4.121704112482948, "exploitation": 0.5490107811139033}', 'gp-ucb', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824]', 9, '', '{}');
INSERT INTO public.proposals VALUES (3, 12, 6, '{"a": 1.365192912684072, "b": 0.011605088018264266, "mode": "stiff"}', '{}', '[]', -0.5301154428538519, 0.6571423621976891, '{"approximation": 4.176791363314326, "exploitation": 0.5301154428538519}', 'gp-ucb', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518]', 11, '', '{}');
INSERT INTO public.proposals VALUES (3, 14, 7, '{"a": 0.0, "b": 0.3031170463020151, "mode": "stiff"}', '{}', '[]', -0.47052578859499283, 0.6654687600074984, '{"approximation": 4.261870620528081, "exploitation": 0.47052578859499283}', 'gp-ucb', '[-1.4946104748243696, -1.2494977956199915, -1.0323292709894123, 0.015331306580907176, -4.999476492890234]', 13, '', '{}');
INSERT INTO public.proposals VALUES (3, 16, 8, '{"a": 0.01193899004467433, "b": 0.01373685555290569, "mode": "stiff"}', '{}', '[]', -0.4841055319512647, 0.6113237573906287, '{"approximation": 3.940519064375029, "exploitation": 0.4841055319512647}', 'gp-ucb', '[-1.5295942612254456, -1.1878103600982484, -1.0316943497972693, 0.0027941260626913773, -4.999941451782363]', 15, '', '{}');
INSERT INTO public.proposals VALUES (3, 18, 9, '{"a": 0.837143719754818, "b": 0.40875810882900226, "mode": "stiff"}', '{}', '[]', -0.4928544056703711, 0.5607227479533295, '{"approximation": 3.6347850461775404, "exploitation": 0.4928544056703711}', 'gp-ucb', '[-1.559981785844254, -1.2182127281475152, -1.0326890554290633, -0.0017031526206821629, -4.999229946441645]', 17, '', '{}');
INSERT INTO public.proposals VALUES (3, 24, 10, '{"a": 0.0, "b": 0.061366616402878105, "mode": "soft"}', '{}', '[]', -0.14701855784712517, 0.5023625080283866, '{"approximation": 3.2727647887884714, "exploitation": 0.14701855784712517}', 'gp-ucb', '[-1.2710966397883687, -1.0533230557412323, -1.0262936072221884, -0.009195839481610908, -5.001798415519991]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (4, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'ei', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (4, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'ei', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (4, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'ei', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (4, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'ei', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (4, 10, 5, '{"a": 0.1504242851218268, "b": 0.032284306227193284, "mode": "stiff"}', '{}', '[]', -1.1011555935116286, 0.42782308360487986, '{"improvement": -2.6408217963465823}', 'ei', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824]', 9, '', '{}');
INSERT INTO public.proposals VALUES (4, 12, 6, '{"a": 0.08623615790773849, "b": 0.04064383541789294, "mode": "stiff"}', '{}', '[]', -1.101147900356984, 0.42778652023612423, '{"improvement": -2.6410218363379836}', 'ei', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518]', 11, '', '{}');
INSERT INTO public.proposals VALUES (4, 14, 7, '{"a": 0.7873830404622386, "b": 0.06083470700092191, "mode": "stiff"}', '{}', '[]', -1.2306296020282095, 0.32492447320874696, '{"improvement": -2.5865952605900246}', 'ei', '[-1.531420438816568, -1.096633322291984, -1.035683818554665, 0.019116011878858728, -4.996307231585105]', 13, '', '{}');
INSERT INTO public.proposals VALUES (4, 16, 8, '{"a": 0.5058048685488999, "b": 0.17583393883009896, "mode": "stiff"}', '{}', '[]', -1.1780918311114215, 0.34332242767712473, '{"improvement": -2.7081672326523774}', 'ei', '[-1.5857494910410777, -1.0945989781453889, -1.03853612648731, -0.04662751861224225, -4.999589192628832]', 15, '', '{}');
INSERT INTO public.proposals VALUES (4, 18, 9, '{"a": 0.5759236663854217, "b": 1.0, "mode": "stiff"}', '{}', '[]', -1.2397714094723868, 0.21351750468028158, '{"improvement": -3.6784884060086886}', 'ei', '[-1.600608983791499, -0.3111202339006388, -1.0340919804231186, -0.1308963820625486, -5.087647699520377]', 17, '', '{}');
INSERT INTO public.proposals VALUES (4, 24, 10, '{"a": 0.7399288995412391, "b": 0.43227091229804354, "mode": "stiff"}', '{}', '[]', -1.8349455142248638, 0.3651101438743522, '{"improvement": -1.9270307437083207}', 'ei', '[-1.7632101593975045, -1.1354646447848558, -1.03683279942744, 0.08742231493309627, -4.9588987973291765]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (5, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'ts', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (5, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'ts', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (5, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'ts', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (5, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'ts', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (5, 10, 5, '{"a": 1.6711845996286518, "b": 0.010000000000000004, "mode": "stiff"}', '{}', '[]', 0.401411582855301, 0.6706228935130026, '{"draw": 1.9703033727786687}', 'ts', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824]', 9, '', '{}');
INSERT INTO public.proposals VALUES (5, 12, 6, '{"a": 0.9075941429183, "b": 0.06213998626357707, "mode": "stiff"}', '{}', '[]', 1.1329890278284687, 0.3786548812899865, '{"draw": 1.7203827097849076}', 'ts', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518]', 11, '', '{}');
INSERT INTO public.proposals VALUES (5, 14, 7, '{"a": 0.11573612417332656, "b": 0.1374875873194938, "mode": "stiff"}', '{}', '[]', 1.123083796064985, 0.42108733720591274, '{"draw": 1.7252651334627562}', 'ts', '[-1.382722379245466, -1.0099448309465566, -1.0359291172136063, 0.00449075009883145, -4.996221581981418]', 13, '', '{}');
INSERT INTO public.proposals VALUES (5, 16, 8, '{"a": 0.49998161972154076, "b": 0.14526136923960734, "mode": "stiff"}', '{}', '[]', 1.1421757652491873, 0.2598264765347335, '{"draw": 1.63946034858888}', 'ts', '[-1.5792616378116684, -1.0866771384194869, -1.0361030614435203, -0.021531486194153914, -4.994932515820819]', 15, '', '{}');
INSERT INTO public.proposals VALUES (5, 18, 9, '{"a": 0.471805145128694, "b": 0.09962613433193744, "mode": "stiff"}', '{}', '[]', 1.3425434887718297, 0.04039532771958944, '{"draw": 1.4065147601838905}', 'ts', '[-1.657708299927298, -0.2823110874709143, -1.0345178441087055, -0.12152211990040751, -5.10278264617229]', 17, '', '{}');
INSERT INTO public.proposals VALUES (5, 24, 10, '{"a": 2.0, "b": 0.6888168095503096, "mode": "soft"}', '{}', '[]', 0.3047900807572546, 0.5999804941474249, '{"draw": 2.009659655125576}', 'ts', '[-1.4670289921663857, -2.1760037430698302, -1.0365064421172838, 0.03844079931240288, -4.979574318271111]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (6, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (6, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (6, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (6, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (6, 10, 5, '{"a": 0.007791711732083673, "b": 0.024526226036416385, "mode": "stiff"}', '{}', '[]', 0.930639764692484, 0.5357844252920526, '{"approximation": 1.0715688505841052, "exploitation": 0.930639764692484}', 'lw-ucb', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824]', 9, '', '{}');
INSERT INTO public.proposals VALUES (6, 12, 6, '{"a": 0.6253972031597179, "b": 0.014632348378786023, "mode": "stiff"}', '{}', '[]', 0.9277116422263778, 0.53677584894024, '{"approximation": 1.07355169788048, "exploitation": 0.9277116422263778}', 'lw-ucb', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518]', 11, '', '{}');
INSERT INTO public.proposals VALUES (6, 14, 7, '{"a": 0.0, "b": 0.012312330610223353, "mode": "stiff"}', '{}', '[]', 0.9794744926615575, 0.5309815870275052, '{"approximation": 1.0619631740550104, "exploitation": 0.9794744926615575}', 'lw-ucb', '[-1.199593493247064, -0.35053825083475637, -1.0352453493923124, -0.1010640225448158, -5.024829296300619]', 13, '', '{}');
INSERT INTO public.proposals VALUES (6, 16, 8, '{"a": 0.8541101675110232, "b": 0.22089289885192426, "mode": "stiff"}', '{}', '[]', 1.0480675667114978, 0.45549194378004887, '{"approximation": 0.9109838875600977, "exploitation": 1.0480675667114978}', 'lw-ucb', '[-1.575254164276397, -0.39160078392000985, -1.0346445125604486, -0.09348460205044393, -5.022634970703341]', 15, '', '{}');
INSERT INTO public.proposals VALUES (6, 18, 9, '{"a": 0.3832616476437867, "b": 1.0, "mode": "stiff"}', '{}', '[]', 0.9291506282940949, 0.3608212831102188, '{"approximation": 0.7216425662204377, "exploitation": 0.9291506282940949}', 'lw-ucb', '[-1.5469776418972359, -0.3553177389782095, -1.0344700510530163, -0.12538893392304387, -5.028053194350444]', 17, '', '{}');
INSERT INTO public.proposals VALUES (6, 24, 10, '{"a": 0.7675309067420741, "b": 1.0, "mode": "stiff"}', '{}', '[]', 1.4231498178494286, 0.43224510694990154, '{"approximation": 0.8644902138998031, "exploitation": 1.4231498178494286}', 'lw-ucb', '[-1.4446167533493524, -1.3390912652292875, -1.037319093856437, 0.05746726121648829, -4.994896736175017]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (7, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'risk-averse', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (7, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'risk-averse', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (7, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'risk-averse', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (7, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'risk-averse', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (7, 10, 5, '{"a": 0.06140724987489048, "b": 0.021286178372149883, "mode": "stiff"}', '{}', '[]', 0.9244450279327322, 0.5381055364546249, '{"aleatoric": -0.06796008559939806, "approximation": 1.0762110729092498, "exploitation": 0.9244450279327322}', 'risk-averse', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824, -1.045502051272533, -1.055858873640708, -1.0366290892025078, -0.033819171174873736]', 9, '', '{}');
INSERT INTO public.proposals VALUES (7, 12, 6, '{"a": 0.1614083742684775, "b": 0.017855561571235624, "mode": "stiff"}', '{}', '[]', 0.9243075204536018, 0.5381736256219302, '{"aleatoric": -0.06792073255871951, "approximation": 1.0763472512438603, "exploitation": 0.9243075204536018}', 'risk-averse', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518, -1.0454968573174293, -1.055868857301297, -1.036629862511924, -0.03379167346086589]', 11, '', '{}');
INSERT INTO public.proposals VALUES (7, 14, 7, '{"a": 0.0960399807334457, "b": 0.20357957364153187, "mode": "stiff"}', '{}', '[]', 0.9690956401787137, 0.4802054650832, '{"aleatoric": -0.059096818341062604, "approximation": 0.9604109301664, "exploitation": 0.9690956401787137}', 'risk-averse', '[-1.1294067448808611, -1.066954375541514, -1.0366837609472748, -0.02334776276294387, -5.001135285970933, -1.0508701070119641, -1.075213833490849, -1.0366574717169594, -0.0587934566081413]', 13, '', '{}');
INSERT INTO public.proposals VALUES (7, 16, 8, '{"a": 1.0411479722464894, "b": 0.036946378394782195, "mode": "stiff"}', '{}', '[]', 1.022507843988906, 0.41398950076192753, '{"aleatoric": -0.05266263842553346, "approximation": 0.8279790015238551, "exploitation": 1.022507843988906}', 'risk-averse', '[-1.1588637332707685, -1.1873918438342868, -1.0367053507855883, -0.03238890395181902, -5.0000341031815205, -1.057949977783438, -1.074670091383903, -1.0365935358753675, -0.07807855451660906]', 15, '', '{}');
INSERT INTO public.proposals VALUES (7, 18, 9, '{"a": 0.57987059381509, "b": 0.8191554131822646, "mode": "stiff"}', '{}', '[]', 1.0002051697353325, 0.3620536017113214, '{"aleatoric": -0.03558230731239402, "approximation": 0.7241072034226428, "exploitation": 1.0002051697353325}', 'risk-averse', '[-1.7178755578768565, -0.43964226671227474, -1.0352102093685922, -0.03278463184178059, -5.003559213501942, -1.119195676220295, -1.0829182624064142, -1.0363904272451152, -0.08317858613442965]', 17, '', '{}');
INSERT INTO public.proposals VALUES (7, 24, 10, '{"a": 0.22104208762965347, "b": 1.0, "mode": "stiff"}', '{}', '[]', 1.445430371275424, 0.32241309246648386, '{"aleatoric": -0.047689380423077264, "approximation": 0.6448261849329677, "exploitation": 1.445430371275424}', 'risk-averse', '[-1.2305443206149378, -1.2233721243572204, -1.0361786055554345, 0.04362545665702913, -5.007002394742345, -0.9495031842125514, -1.2338976310428218, -1.0391667354235083, 0.04704490820759498]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (8, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'uncertainty-aware', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (8, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'uncertainty-aware', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (8, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'uncertainty-aware', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (8, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'uncertainty-aware', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (8, 10, 5, '{"a": 0.0, "b": 0.014413236640660642, "mode": "stiff"}', '{}', '[]', 0.7690125747565877, 0.6015856360436335, '{"aleatoric": -0.06642894901590285, "approximation": 1.203171272087267, "exploitation": 0.7690125747565877, "model": 0.1962479249572798}', 'uncertainty-aware', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824, -1.045502051272533, -1.055858873640708, -1.0366290892025078, -0.033819171174873736]', 9, '', '{}');
INSERT INTO public.proposals VALUES (8, 12, 6, '{"a": 0.10000482855233608, "b": 0.012349323448257404, "mode": "stiff"}', '{}', '[]', 0.7688072053587258, 0.6016743333777738, '{"aleatoric": -0.06639229300097747, "approximation": 1.2033486667555475, "exploitation": 0.7688072053587258, "model": 0.19626395953483744}', 'uncertainty-aware', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518, -1.0454968573174293, -1.055868857301297, -1.036629862511924, -0.03379167346086589]', 11, '', '{}');
INSERT INTO public.proposals VALUES (8, 14, 7, '{"a": 0.0829014606291295, "b": 0.2589092141749409, "mode": "stiff"}', '{}', '[]', 0.852618618092384, 0.5164467593865143, '{"aleatoric": -0.056347997665675, "approximation": 1.0328935187730286, "exploitation": 0.852618618092384, "model": 0.15544969101073405}', 'uncertainty-aware', '[-1.1340831825503832, -1.1284544527237832, -1.0367015695008885, -0.007396683680715757, -5.000014393186594, -1.05698975241801, -1.0995645856721625, -1.0366733558432557, -0.05483050771682588]', 13, '', '{}');
INSERT INTO public.proposals VALUES (8, 16, 8, '{"a": 1.1476807631604817, "b": 0.03832331587576855, "mode": "stiff"}', '{}', '[]', 0.9167858468611494, 0.4457513535314444, '{"aleatoric": -0.0489033862785022, "approximation": 0.8915027070628888, "exploitation": 0.9167858468611494, "model": 0.13149115790567026}', 'uncertainty-aware', '[-1.116950906566801, -1.1846845018124041, -1.0368252127973796, -0.021979482248476605, -5.000349859897518, -1.0706496343829337, -1.1056303538739962, -1.036532862075516, -0.07575948825385534]', 15, '', '{}');
INSERT INTO public.proposals VALUES (8, 18, 9, '{"a": 0.5837406509267558, "b": 0.5401846212849816, "mode": "stiff"}', '{}', '[]', 0.9324639691909664, 0.40193153686086813, '{"aleatoric": -0.0184275596420497, "approximation": 0.8038630737217363, "exploitation": 0.9324639691909664, "model": 0.07678179090564337}', 'uncertainty-aware', '[-1.7376918346554346, -0.708530342658342, -1.0357036329970746, -0.021690357694998066, -5.001491035826947, -1.0799547055969292, -1.6457225020516315, -1.0362977916066227, 0.11886506389955626]', 17, '', '{}');
INSERT INTO public.proposals VALUES (8, 24, 10, '{"a": 0.8446904482996407, "b": 1.0, "mode": "stiff"}', '{}', '[]', 1.3201428693250001, 0.32979062525263736, '{"aleatoric": -0.05167245000640582, "approximation": 0.6595812505052747, "exploitation": 1.3201428693250001, "model": 0.055481675674183245}', 'uncertainty-aware', '[-1.4320580388915323, -1.2365367132245433, -1.0349851105263201, 0.014138066609620697, -4.99932162923482, -1.0485396972676315, -1.274768316517633, -1.0372459823832931, -0.057055969023887695]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.proposals VALUES (9, 1, 1, '{"speed": 0.4, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'dmcl', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (9, 3, 2, '{"speed": 0.1, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.4499999998857956, 0.4374708920026084, '{"ambiguity": 7.258284831957489}', 'dmcl', '[0.00011811917031679525, 6.860801900231573e-05, -0.0020411477466155074, -0.002837175451556666, 0.002228857913512028, -0.0021298975234672456, -0.0021246803160646045, -0.0350160237047671, -0.0305075791166997, -5.000850189644459, -5.000653350440728, -5.000651383477376, -0.3465735902799726, -0.3465735902799726]', 2, '', '{"comfort": 0.5476881203267641, "jerk": 0.547582835287386}');
INSERT INTO public.proposals VALUES (9, 5, 3, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.3438718213009239, 0.09714741787601047, '{"ambiguity": 7.1090751646509895}', 'dmcl', '[-6.974684072176074e-05, 0.0005171605547212469, -0.0007863094595048536, -0.0017351155625338866, 0.0009193110019981232, -0.0014972850587028723, 0.09083172295561215, -0.07152931873178976, -0.06232683293189635, -4.999673823053326, -5.001121747726172, -5.0010196944898455, -0.352335174493654, -0.3632146074945164]', 4, '', '{"comfort": 0.6307492622593378, "jerk": 0.6212801886348074}');
INSERT INTO public.proposals VALUES (9, 7, 4, '{"speed": 0.1, "gap": 0.5}', '{}', '["comfort", "jerk"]', 0.38226129687071736, 0.17073096015362707, '{"ambiguity": 6.162774908757427}', 'dmcl', '[-0.0001704651182097994, 0.0012054913072329187, -0.00017795323555385562, -0.0014448959414256027, 0.0003789605856245094, -0.001507707826088436, 0.11337382547260293, -0.10267581384902108, -0.07823964777857075, -4.998915854734919, -5.001842403824627, -5.001377443034931, -0.4243279527001646, -0.2820825806809969]', 6, '', '{"comfort": 0.7667642191341193, "jerk": 0.7266315460484973}');
INSERT INTO public.proposals VALUES (9, 11, 5, '{"speed": 0.6, "gap": 0.5}', '{}', '["comfort", "jerk"]', 0.5692697970724979, 0.1347949812088176, '{"ambiguity": 4.498477438173311}', 'dmcl', '[-0.00020451710099483118, 0.0017456717583552294, 9.98579795821237e-05, -0.0015518309326963543, 0.00021328109796840515, -0.0018071010529170557, 0.0969718899029974, -0.15745064032850356, -0.12299319073386661, -5.000133107387078, -5.004392623799695, -5.003503096486486, -0.3511668484917114, -0.10047650187279067]', 10, '', '{"comfort": 0.7311122449567151, "jerk": 0.519262300314999}');
INSERT INTO public.proposals VALUES (9, 13, 6, '{"speed": 0.3, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.4345485161282195, 0.11246400009840458, '{"ambiguity": 3.9384840710462266}', 'dmcl', '[-0.00020451710099483118, 0.0017456717583552294, 9.98579795821237e-05, -0.0015518309326963543, 0.00021328109796840515, -0.0018071010529170557, 0.0969718899029974, -0.15745064032850356, -0.12299319073386661, -5.000133107387078, -5.004392623799695, -5.003503096486486, -0.3511668484917114, -0.10047650187279067]', 12, '', '{"comfort": 0.977777531230489, "jerk": 0.9815395689102769}');
INSERT INTO public.proposals VALUES (9, 15, 7, '{"speed": 0.4, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.5130586115259199, 0.07073275735729001, '{"ambiguity": 2.6218501279654265}', 'dmcl', '[-0.07328155801705877, 0.7004602670550625, 0.05231990638180761, -0.5002778537834921, 0.06610479031602494, -0.6317261361358327, -0.3392496946111452, -0.6741693776023497, -0.846070719178371, -5.033229451139589, -5.055510181064037, -5.053288319189907, 0.08727443837262136, 0.025197718698338024]', 14, '', '{"comfort": 0.9972122351440409, "jerk": 0.9678171697001265}');
INSERT INTO public.proposals VALUES (9, 17, 8, '{"speed": 0.6, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.7097441448143327, 0.045679661538491685, '{"ambiguity": 1.8779390084411092}', 'dmcl', '[-0.07328155801705877, 0.7004602670550625, 0.05231990638180761, -0.5002778537834921, 0.06610479031602494, -0.6317261361358327, -0.3392496946111452, -0.6741693776023497, -0.846070719178371, -5.033229451139589, -5.055510181064037, -5.053288319189907, 0.08727443837262136, 0.025197718698338024]', 16, '', '{"comfort": 0.9862426859761357, "jerk": 0.4578764632866647}');
INSERT INTO public.proposals VALUES (10, 1, 1, '{"speed": 0.4, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'mcl', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (10, 3, 2, '{"speed": 0.1, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.45, 0.4232020876679939, '{"ambiguity": 7.185746082099041}', 'mcl', '[-0.06847110131614687, -0.0505861782712424, -0.0505861782712424, -5.000696776175062, -5.000510997118754, -5.000510997118754, -0.3465735902799726, -0.3465735902799726]', 2, '', '{"comfort": 0.5480539304514274, "jerk": 0.5480539304514274}');
INSERT INTO public.proposals VALUES (10, 5, 3, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.3437666491444462, 0.09445941559860446, '{"ambiguity": 7.040456339973239}', 'mcl', '[0.03374044628876051, -0.08645308153028253, -0.08157582269866763, -4.999487813812533, -5.001079098918771, -5.000978120543618, -0.353350864940927, -0.3662027986028946]', 4, '', '{"comfort": 0.6313669097574859, "jerk": 0.622203942928646}');
INSERT INTO public.proposals VALUES (10, 7, 4, '{"speed": 0.1, "gap": 0.5}', '{}', '["comfort", "jerk"]', 0.38241997031620795, 0.1666280276865508, '{"ambiguity": 6.1178611848317175}', 'mcl', '[0.059699510150303295, -0.11714682073616892, -0.09679787760593424, -4.9986676987444785, -5.001832466013072, -5.001362721844778, -0.42971717414775573, -0.282534138875313]', 6, '', '{"comfort": 0.7673770882379631, "jerk": 0.727898724829611}');
INSERT INTO public.proposals VALUES (10, 9, 5, '{"speed": 0.6, "gap": 0.5}', '{}', '["comfort", "jerk"]', 0.5691686099902677, 0.13206477532474667, '{"ambiguity": 4.483661474828125}', 'mcl', '[0.04479984158819709, -0.17199438396134142, -0.1415602767290434, -4.999944319503354, -5.004425064359515, -5.003533448202217, -0.3579084018565834, -0.09783279565442997]', 8, '', '{"comfort": 0.7313694168921513, "jerk": 0.5198810865301196}');
INSERT INTO public.proposals VALUES (10, 11, 6, '{"speed": 0.3, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.434249413454546, 0.11042752378780173, '{"ambiguity": 3.932040477328434}', 'mcl', '[0.04479984158819709, -0.17199438396134142, -0.1415602767290434, -4.999944319503354, -5.004425064359515, -5.003533448202217, -0.3579084018565834, -0.09783279565442997]', 10, '', '{"comfort": 0.9776974944894283, "jerk": 0.9816403897506532}');
INSERT INTO public.proposals VALUES (10, 13, 7, '{"speed": 0.2, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.2682328068099826, 0.06136955196448637, '{"ambiguity": 2.3892259435840524}', 'mcl', '[0.10851024832305031, -0.24725190187621998, -0.1633293582702015, -5.0208950268090105, -5.034975081548928, -5.030349944509022, -0.019920907304805596, 0.10562665521330918]', 12, '', '{"comfort": 0.999993919976955, "jerk": 0.9999928301907858}');
INSERT INTO public.proposals VALUES (10, 15, 8, '{"speed": 0.6, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.7295691375355686, 0.05531205008145521, '{"ambiguity": 2.2653190295679906}', 'mcl', '[0.10851024832305031, -0.24725190187621998, -0.1633293582702015, -5.0208950268090105, -5.034975081548928, -5.030349944509022, -0.019920907304805596, 0.10562665521330918]', 14, '', '{"comfort": 0.9611794570756218, "jerk": 0.4387136329376166}');
INSERT INTO public.proposals VALUES (11, 1, 1, '{"speed": 0.4, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acl', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (11, 3, 2, '{"speed": 0.1, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.45, 0.42320151627786395, '{"ambiguity": 6.967887939224761}', 'acl', '[-0.06847380212418133, -0.05058143746901439, -5.000698255670064, -5.000511971967497, -0.3465735902799726, -0.3465735902799726]', 2, '', '{"comfort": 0.7403065710050445, "jerk": 0.7403065710050445}');
INSERT INTO public.proposals VALUES (11, 5, 3, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.34323168477581495, 0.09454169988183757, '{"ambiguity": 6.844978018824774}', 'acl', '[0.031094902505799625, -0.08252884656350754, -4.999568153349664, -5.000985567126512, -0.3581176366461562, -0.3808586221495564]', 4, '', '{"comfort": 0.7904616305739279, "jerk": 0.7904616305739279}');
INSERT INTO public.proposals VALUES (11, 7, 4, '{"speed": 0.1, "gap": 0.5}', '{}', '["comfort", "jerk"]', 0.38719302990720056, 0.16833470480269502, '{"ambiguity": 6.023374146890965}', 'acl', '[0.057281469815271026, -0.10318644977130395, -4.998738764013037, -5.0014851689071875, -0.4442951147141454, -0.3130415371478066]', 6, '', '{"comfort": 0.856884606188565, "jerk": 0.856884606188565}');
INSERT INTO public.proposals VALUES (11, 9, 5, '{"speed": 0.6, "gap": 0.5}', '{}', '["comfort", "jerk"]', 0.5600736258277298, 0.1389166731576187, '{"ambiguity": 4.594027943257508}', 'acl', '[0.042274719574630644, -0.14823565488734444, -4.999558801920044, -5.003073399128953, -0.40947798595673357, -0.18213521437288904]', 8, '', '{"comfort": 0.7658532260032239, "jerk": 0.7658532260032239}');
INSERT INTO public.proposals VALUES (11, 11, 6, '{"speed": 0.3, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.4332043718242699, 0.1180392543536311, '{"ambiguity": 4.081850488772578}', 'acl', '[0.042274719574630644, -0.14823565488734444, -4.999558801920044, -5.003073399128953, -0.40947798595673357, -0.18213521437288904]', 10, '', '{"comfort": 0.9872383985841018, "jerk": 0.9872383985841018}');
INSERT INTO public.proposals VALUES (11, 13, 7, '{"speed": 0.2, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.26413546602820653, 0.07455834378829941, '{"ambiguity": 2.8519316029721464}', 'acl', '[0.062028563241309516, -0.20365208109932492, -5.0086839005854955, -5.014942456789729, -0.1869304108962517, -0.04618827918215585]', 12, '', '{"comfort": 0.9999320765391706, "jerk": 0.9999320765391706}');
INSERT INTO public.proposals VALUES (11, 15, 8, '{"speed": 0.6, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.7293200968010847, 0.06803106713303966, '{"ambiguity": 2.7232995610123885}', 'acl', '[0.062028563241309516, -0.20365208109932492, -5.0086839005854955, -5.014942456789729, -0.1869304108962517, -0.04618827918215585]', 14, '', '{"comfort": 0.8005512563826407, "jerk": 0.8005512563826407}');
INSERT INTO public.proposals VALUES (12, 1, 1, '{"speed": 0.4, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (12, 3, 2, '{"speed": 0.3, "gap": 1.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (12, 5, 3, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (12, 7, 4, '{"speed": 0.6, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 6, '', '{}');
INSERT INTO public.proposals VALUES (12, 9, 5, '{"speed": 0.6, "gap": 1.0}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 8, '', '{}');
INSERT INTO public.proposals VALUES (12, 11, 6, '{"speed": 0.6, "gap": 1.0}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 10, '', '{}');
INSERT INTO public.proposals VALUES (12, 13, 7, '{"speed": 0.4, "gap": 1.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 12, '', '{}');
INSERT INTO public.proposals VALUES (12, 15, 8, '{"speed": 0.4, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'acol', '[]', 14, '', '{}');
INSERT INTO public.proposals VALUES (13, 1, 1, '{"speed": 0.4, "gap": 0.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'v-ucb', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (13, 3, 2, '{"speed": 0.1, "gap": 1.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'v-ucb', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (13, 5, 3, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', NULL, NULL, '{}', 'v-ucb', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (13, 7, 4, '{"speed": 0.4, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.5556711868446412, 0.1903829418801885, '{"approximation": 0.32198535186192434, "exploitation": 0.2287285978817893}', 'v-ucb', '[-1.2707358465290008, -1.2408496699202738, -0.001360491901523327, -5.000016452007144]', 6, '', '{"comfort": 0.9938125505609012, "jerk": 0.850890370095655}');
INSERT INTO public.proposals VALUES (13, 9, 5, '{"speed": 0.6, "gap": 1.0}', '{}', '["comfort", "jerk"]', 0.5398682270166362, 0.1747921282784234, '{"approximation": 0.2962849842499797, "exploitation": 0.21940166016005364}', 'v-ucb', '[-0.886607894998457, -1.2412647256054161, 0.009832930900210817, -5.003501826147011]', 8, '', '{"comfort": 0.9968860910085061, "jerk": 0.8501826527718306}');
INSERT INTO public.proposals VALUES (13, 11, 6, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.7483988787603086, 0.013968080653812168, '{"approximation": 0.027925306729183298, "exploitation": 0.4680140065979924}', 'v-ucb', '[-0.7274808059060937, 0.02562066151394954, -0.012773341598008211, -5.059498753693005]', 10, '', '{"comfort": 1.0, "jerk": 0.9996114506097845}');
INSERT INTO public.proposals VALUES (13, 13, 7, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.7495034994976358, 0.00799822891839434, '{"approximation": 0.015996457828892856, "exploitation": 0.47564637480917665}', 'v-ucb', '[-0.6959943321433743, 0.07529452902323096, -0.011267488788487788, -5.5371403436634115]', 12, '', '{"comfort": 1.0, "jerk": 0.9999999995064017}');
INSERT INTO public.proposals VALUES (13, 15, 8, '{"speed": 0.6, "gap": 1.5}', '{}', '["comfort", "jerk"]', 0.7498047811491626, 0.005076810320548895, '{"approximation": 0.01015362064109779, "exploitation": 0.48149617380631693}', 'v-ucb', '[-0.6908144088590311, 0.09582418836772781, 0.003375548206151543, -6.021622757675178]', 14, '', '{"comfort": 1.0, "jerk": 1.0}');
INSERT INTO public.proposals VALUES (14, 1, 1, '{"a": 1.7892750172405265, "b": 0.8549855028524541}', '{}', '[]', NULL, NULL, '{}', 'preference', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (14, 2, 2, '{"a": 0.08570116026709473, "b": 0.05589217476633823}', '{}', '[]', NULL, NULL, '{}', 'preference', '[]', 1, '', '{}');
INSERT INTO public.proposals VALUES (14, 4, 3, '{"a": 0.024026720252167566, "b": 0.9538309474918356}', '{}', '[]', NULL, NULL, '{}', 'preference', '[]', 3, '', '{}');
INSERT INTO public.proposals VALUES (14, 5, 4, '{"a": 1.711064008623667, "b": 0.009601168283640993}', '{}', '[]', NULL, NULL, '{}', 'preference', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (14, 7, 5, '{"a": 1.0862870330853558, "b": 0.45301614673111623}', '{}', '[]', NULL, NULL, '{}', 'preference', '[]', 6, '', '{}');
INSERT INTO public.proposals VALUES (14, 8, 6, '{"a": 1.0108443503402536, "b": 0.9264605524983659}', '{}', '[]', NULL, NULL, '{}', 'preference', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (14, 10, 7, '{"a": 0.08570116026709473, "b": 0.05589217476633823}', '{}', '[]', 0.6578682861673398, 0.8309247513404734, '{"exploitation": 0.6578682861673398}', 'preference', '[-0.7028625786414209, 0.24994289615340484, -0.04772700491845738, -5.0, -1.3154188413403611, -1.1906155635112041]', 9, '', '{}');
INSERT INTO public.proposals VALUES (14, 11, 8, '{"a": 0.0, "b": 1.0}', '{}', '[]', 0.638862776894005, 0.8247596010747946, '{"challenge": -1.5263375898541134}', 'preference', '[-0.7032111620484122, 0.24986152773296114, -0.04833902492455601, -5.0, -1.3148647118088501, -1.190486569263699]', 10, '', '{}');
INSERT INTO public.proposals VALUES (14, 13, 9, '{"a": 0.0, "b": 1.0}', '{}', '[]', 0.8897388650350351, 0.8083475001100452, '{"exploitation": 0.8897388650350351}', 'preference', '[-0.6743777168608991, 0.16554991463847757, -0.04038724808863162, -5.0, -1.2455650397841824, -1.4803528076221324]', 12, '', '{}');
INSERT INTO public.proposals VALUES (15, 1, 1, '{"x": 0.33187239186810047, "k": 3}', '{"day": 1}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (15, 3, 2, '{"x": 0.9175990760222543, "k": 5}', '{"day": 2}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (15, 5, 3, '{"x": 0.8743782125824178, "k": 1}', '{"day": 3}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (15, 7, 4, '{"x": 0.8234520014856523, "k": 5}', '{"day": 4}', '[]', 2.823842679325673, 1.6156026356458741, '{"approximation": 3.2312052712917483, "exploitation": 2.823842679325673}', 'lw-ucb', '[-1.1231699635534445, -1.155111796167344, -1.030568816945899, 0.0038534250218061456, -4.999691405694602]', 6, '', '{}');
INSERT INTO public.proposals VALUES (15, 9, 5, '{"x": 1.0, "k": 4}', '{"day": 5}', '[]', 2.851657457198739, 1.2977669351802306, '{"approximation": 2.595533870360461, "exploitation": 2.851657457198739}', 'lw-ucb', '[-1.0403871644936753, -1.1630847991129625, -0.41226424337872464, -0.06626416769289978, -5.008941382731929]', 8, '', '{}');
INSERT INTO public.proposals VALUES (15, 11, 6, '{"x": 1.0, "k": 4}', '{"day": 1}', '[]', 3.7908424235197686, 0.8897737365574622, '{"approximation": 1.7795474731149243, "exploitation": 3.7908424235197686}', 'lw-ucb', '[-1.0023361416411014, -0.9797891887785428, -0.2609120668460881, -0.07315138025944339, -5.012968178938607]', 10, '', '{}');
INSERT INTO public.proposals VALUES (15, 13, 7, '{"x": 1.0, "k": 5}', '{"day": 2}', '[]', 4.495315493339234, 0.25955469929980796, '{"approximation": 0.33369744618278857, "exploitation": 4.495315493339234}', 'lw-ucb', '[-0.8964196562682308, -0.7321600751246128, 0.054696774326314146, -0.0769215088686494, -5.0617043097954175]', 12, '', '{}');
INSERT INTO public.proposals VALUES (15, 15, 8, '{"x": 1.0, "k": 5}', '{"day": 2}', '[]', 4.750484751074852, 0.10203534376893857, '{"approximation": 0.11620412358509087, "exploitation": 4.750484751074852}', 'lw-ucb', '[-0.7483467588855526, -0.5322431856151637, 0.2153047332874735, -0.0074474134826940834, -5.222079569282244]', 14, '', '{}');
INSERT INTO public.proposals VALUES (15, 16, 9, '{"x": 0.9899999999972356, "k": 5}', '{"day": 2}', '[]', 4.7139880962832414, 0.07026088372891867, '{"approximation": 0.0203814896513829, "exploitation": 4.7139880962832414}', 'lw-ucb', '[-0.7482331789710346, -0.5326223108606718, 0.21462492985171316, -0.00783552479179852, -5.222272986942315]', 15, '', '{}');
INSERT INTO public.proposals VALUES (16, 1, 1, '{"a": 0.5065061557005293, "b": 0.06522204061850878, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 0, '', '{}');
INSERT INTO public.proposals VALUES (16, 3, 2, '{"a": 1.910671787269584, "b": 0.010649340715300154, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 2, '', '{}');
INSERT INTO public.proposals VALUES (16, 5, 3, '{"a": 0.4087864461246846, "b": 0.6764494503511908, "mode": "soft"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 4, '', '{}');
INSERT INTO public.proposals VALUES (16, 8, 4, '{"a": 1.8245024476354355, "b": 0.9111911326229596, "mode": "stiff"}', '{}', '[]', NULL, NULL, '{}', 'lw-ucb', '[]', 7, '', '{}');
INSERT INTO public.proposals VALUES (16, 10, 5, '{"a": 1.6101495992382542, "b": 0.032220692661303334, "mode": "soft"}', '{}', '[]', -0.24765366860818483, 0.48265522091760243, '{"approximation": 6.380592159046095, "exploitation": -0.24765366860818483}', 'lw-ucb', '[-1.1171920154553663, -1.1084632379676518, -1.0367273282074383, 0.0012762578324611168, -4.999813341070824]', 9, '', '{}');
INSERT INTO public.proposals VALUES (16, 12, 6, '{"a": 1.5023135578357476, "b": 0.02461402003411567, "mode": "soft"}', '{}', '[]', -0.26341325442407026, 0.47406870683091196, '{"approximation": 6.175159306149098, "exploitation": -0.26341325442407026}', 'lw-ucb', '[-1.1178678951095185, -1.1089389921742836, -1.0367268423885196, 0.001378880363031795, -4.999814840239518]', 11, '', '{}');
INSERT INTO public.proposals VALUES (16, 14, 7, '{"a": 0.4608102135709912, "b": 0.17495125886172547, "mode": "stiff"}', '{}', '[]', 1.0781142694291217, 0.4676710895282722, '{"approximation": 3.1786089759247913, "exploitation": 1.0781142694291217}', 'lw-ucb', '[-0.9479718617378456, -1.1431372336616505, -1.0403255641245148, -0.0369226257405952, -5.004637080251736]', 13, '', '{}');
INSERT INTO public.proposals VALUES (16, 16, 8, '{"a": 0.9936444226880169, "b": 0.09162644332473449, "mode": "stiff"}', '{}', '[]', 0.9703772612655887, 0.5416967976657047, '{"approximation": 3.3363396615224388, "exploitation": 0.9703772612655887}', 'lw-ucb', '[-1.1865705975864504, -0.6551253985422958, -1.036006526554588, -0.13161397049578866, -5.044250397790968]', 15, '', '{}');
INSERT INTO public.proposals VALUES (16, 18, 9, '{"a": 0.9103640504783167, "b": 0.02498136998356058, "mode": "soft"}', '{}', '[]', -0.1988737775278348, 0.5610513064404169, '{"approximation": 3.3488536971585634, "exploitation": -0.1988737775278348}', 'lw-ucb', '[-1.3528932086123542, -0.5355159115160898, -1.0318663483943535, -0.12610325683733842, -5.052472028596915]', 17, '', '{}');
INSERT INTO public.proposals VALUES (16, 24, 10, '{"a": 1.7235977296246687, "b": 0.04671111961207238, "mode": "soft"}', '{}', '[]', -0.7188135846757857, 0.45507436115224364, '{"approximation": 5.28774247689128, "exploitation": -0.7188135846757857}', 'lw-ucb', '[-1.5326010581867786, -1.519303102515224, -1.0372841350818018, 0.00500409158053779, -4.994646864411566]', 23, 'This policy does not learn from comparisons; policy=''preference'' does.', '{}');
INSERT INTO public.revisions VALUES (1, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (2, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (3, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (4, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (5, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (6, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (7, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (8, 20, 'o1', 'read the wrong line');
INSERT INTO public.revisions VALUES (16, 20, 'o1', 'read the wrong line');
INSERT INTO public.studies VALUES (1, 'random', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'random', '{"type": "counsel.policies.random:Random", "fields": {"name": "random"}}', 3, '2026-11-16 17:10:49.419688+00');
INSERT INTO public.studies VALUES (2, 'v-ucb', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'v-ucb', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.bounds:VUCB", "fields": {"kappa": 2.0}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:10:49.854157+00');
INSERT INTO public.studies VALUES (3, 'gp-ucb', 'comfort', 'minimize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'gp-ucb', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.bounds:GPUCB", "fields": {"delta": 0.1}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:10:55.847943+00');
INSERT INTO public.studies VALUES (4, 'ei', 'comfort', 'minimize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'ei', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.improvement:EI", "fields": {"augmented": true}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:10:58.032304+00');
INSERT INTO public.studies VALUES (5, 'ts', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'ts', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.thompson:TS", "fields": {"exact": 1024, "features": 1024}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:11:02.318291+00');
INSERT INTO public.studies VALUES (6, 'lw-ucb', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'lw-ucb', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.output_weighted:LWUCB", "fields": {"kappa": 2.0, "components": 4, "paper": false}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:11:09.793183+00');
INSERT INTO public.studies VALUES (7, 'risk-averse', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'risk-averse', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.bounds:RiskAverse", "fields": {"kappa": 2.0, "risk": 1.0, "measure": "sd"}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:11:26.06663+00');
INSERT INTO public.studies VALUES (8, 'uncertainty-aware', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'uncertainty-aware', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.bounds:UncertaintyAware", "fields": {"kappa": 2.0, "risk": 1.0, "model_weight": 1.0, "imprecision": 1.0, "measure": "sd"}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:11:36.594584+00');
INSERT INTO public.studies VALUES (9, 'constrained dmcl', 'progress', 'maximize', '{"type": "arms", "names": ["speed", "gap"], "arms": [[0.1, 0.5], [0.1, 1.0], [0.1, 1.5], [0.2, 0.5], [0.2, 1.0], [0.2, 1.5], [0.3, 0.5], [0.3, 1.0], [0.3, 1.5], [0.4, 0.5], [0.4, 1.0], [0.4, 1.5], [0.5, 0.5], [0.5, 1.0], [0.5, 1.5], [0.6, 0.5], [0.6, 1.0], [0.6, 1.5]], "context": []}', 'dmcl', '{"type": "counsel.policies.dmcl:DMCL", "fields": {"ask_threshold": 0.5, "tolerance": 0.1, "confidence": {"type": "counsel.constraints.learned:Confidence", "fields": {"delta": 0.1, "constant": 0.0}}, "expansion_share": 0.5, "budget": null, "rank": 2, "standardise": true, "drifting": false, "paper": false, "imputing": false, "safe": null}}', 5, '2026-11-16 17:11:40.493547+00');
INSERT INTO public.studies VALUES (10, 'constrained mcl', 'progress', 'maximize', '{"type": "arms", "names": ["speed", "gap"], "arms": [[0.1, 0.5], [0.1, 1.0], [0.1, 1.5], [0.2, 0.5], [0.2, 1.0], [0.2, 1.5], [0.3, 0.5], [0.3, 1.0], [0.3, 1.5], [0.4, 0.5], [0.4, 1.0], [0.4, 1.5], [0.5, 0.5], [0.5, 1.0], [0.5, 1.5], [0.6, 0.5], [0.6, 1.0], [0.6, 1.5]], "context": []}', 'mcl', '{"type": "counsel.policies.mcl:MCL", "fields": {"tolerance": 0.1, "confidence": {"type": "counsel.constraints.learned:Confidence", "fields": {"delta": 0.1, "constant": 0.0}}, "budget": null, "rank": 0, "standardise": true, "drifting": false, "safe": null}}', 5, '2026-11-16 17:11:49.068143+00');
INSERT INTO public.studies VALUES (11, 'constrained acl', 'progress', 'maximize', '{"type": "arms", "names": ["speed", "gap"], "arms": [[0.1, 0.5], [0.1, 1.0], [0.1, 1.5], [0.2, 0.5], [0.2, 1.0], [0.2, 1.5], [0.3, 0.5], [0.3, 1.0], [0.3, 1.5], [0.4, 0.5], [0.4, 1.0], [0.4, 1.5], [0.5, 0.5], [0.5, 1.0], [0.5, 1.5], [0.6, 0.5], [0.6, 1.0], [0.6, 1.5]], "context": []}', 'acl', '{"type": "counsel.policies.acl:ACL", "fields": {"overall": 0.0, "tolerance": 0.1, "confidence": {"type": "counsel.constraints.learned:Confidence", "fields": {"delta": 0.1, "constant": 0.0}}, "budget": null, "rank": 0, "standardise": true, "drifting": false, "safe": null}}', 5, '2026-11-16 17:11:54.043657+00');
INSERT INTO public.studies VALUES (12, 'constrained acol', 'progress', 'maximize', '{"type": "arms", "names": ["speed", "gap"], "arms": [[0.1, 0.5], [0.1, 1.0], [0.1, 1.5], [0.2, 0.5], [0.2, 1.0], [0.2, 1.5], [0.3, 0.5], [0.3, 1.0], [0.3, 1.5], [0.4, 0.5], [0.4, 1.0], [0.4, 1.5], [0.5, 0.5], [0.5, 1.0], [0.5, 1.5], [0.6, 0.5], [0.6, 1.0], [0.6, 1.5]], "context": []}', 'acol', '{"type": "counsel.policies.acol:ACOL", "fields": {"overall": 0.0, "sigma": 0.05, "delta": 0.1, "rewards": null, "standardise": false, "drifting": false, "safe": null}}', 5, '2026-11-16 17:12:00.91509+00');
INSERT INTO public.studies VALUES (13, 'constrained v-ucb', 'progress', 'maximize', '{"type": "arms", "names": ["speed", "gap"], "arms": [[0.1, 0.5], [0.1, 1.0], [0.1, 1.5], [0.2, 0.5], [0.2, 1.0], [0.2, 1.5], [0.3, 0.5], [0.3, 1.0], [0.3, 1.5], [0.4, 0.5], [0.4, 1.0], [0.4, 1.5], [0.5, 0.5], [0.5, 1.0], [0.5, 1.5], [0.6, 0.5], [0.6, 1.0], [0.6, 1.5]], "context": []}', 'v-ucb', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.bounds:VUCB", "fields": {"kappa": 2.0}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 5, '2026-11-16 17:12:02.557475+00');
INSERT INTO public.studies VALUES (14, 'preference', 'preference', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.0, "high": 1.0, "log": false}], "context": []}', 'preference', '{"type": "counsel.policies.preference:Preference", "fields": {"kappa": 2.0, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 2.0}}, "initial": null, "name": "preference"}}', 2, '2026-11-16 17:12:07.861547+00');
INSERT INTO public.studies VALUES (15, 'context', 'objective', 'maximize', '{"type": "space", "parameters": [{"name": "x", "type": "float", "low": 0.0, "high": 1.0, "log": false}, {"name": "k", "type": "int", "low": 1, "high": 5, "log": false}], "context": [{"name": "day", "type": "int", "low": 1, "high": 5, "log": false}]}', 'lw-ucb', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.output_weighted:LWUCB", "fields": {"kappa": 2.0, "components": 4, "paper": false}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 1, '2026-11-16 17:12:24.883131+00');
INSERT INTO public.studies VALUES (16, 'settings', 'comfort', 'maximize', '{"type": "space", "parameters": [{"name": "a", "type": "float", "low": 0.0, "high": 2.0, "log": false}, {"name": "b", "type": "float", "low": 0.01, "high": 1.0, "log": true}, {"name": "mode", "type": "categorical", "choices": ["soft", "stiff"]}], "context": []}', 'lw-ucb', '{"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": {"type": "counsel.acquisition.output_weighted:LWUCB", "fields": {"kappa": 3.0, "components": 4, "paper": true}}, "kernel": {"type": "counsel.models.kernels:SquaredExponential", "fields": {"lengthscale": {"array": [1.0], "shape": [1], "dtype": "float64"}, "variance": {"array": [1.0], "shape": [], "dtype": "float64"}, "groups": null}}, "prior": {"type": "counsel.models.kernels:Prior", "fields": {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.006737946999085467, "noise_sd": 1.0, "lengthscale_factor": 1.0}}, "initial": null}}', 3, '2026-11-16 17:12:34.891155+00');
INSERT INTO public.withdrawals VALUES (1, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (2, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (3, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (4, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (5, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (6, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (7, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (8, 23, 'o9', 'mistake');
INSERT INTO public.withdrawals VALUES (16, 23, 'o9', 'mistake');
SELECT pg_catalog.setval('public.studies_id_seq', 16, true);
ALTER TABLE ONLY public.counsel_schema
    ADD CONSTRAINT counsel_schema_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.comparisons
    ADD CONSTRAINT pk_comparisons PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.constraints
    ADD CONSTRAINT pk_constraints PRIMARY KEY (study_id, "position");
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT pk_decisions PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.explanation_parts
    ADD CONSTRAINT pk_explanation_parts PRIMARY KEY (study_id, number, term, parameter);
ALTER TABLE ONLY public.explanation_terms
    ADD CONSTRAINT pk_explanation_terms PRIMARY KEY (study_id, number, term);
ALTER TABLE ONLY public.explanations
    ADD CONSTRAINT pk_explanations PRIMARY KEY (study_id, number);
ALTER TABLE ONLY public.facts
    ADD CONSTRAINT pk_facts PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT pk_leases PRIMARY KEY (study_id, proposal);
ALTER TABLE ONLY public.observations
    ADD CONSTRAINT pk_observations PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.outcomes
    ADD CONSTRAINT pk_outcomes PRIMARY KEY (study_id, place, name);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT pk_people PRIMARY KEY (name);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT pk_proposals PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT pk_revisions PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.studies
    ADD CONSTRAINT pk_studies PRIMARY KEY (id);
ALTER TABLE ONLY public.withdrawals
    ADD CONSTRAINT pk_withdrawals PRIMARY KEY (study_id, place);
ALTER TABLE ONLY public.facts
    ADD CONSTRAINT uq_facts_study_id_id UNIQUE (study_id, id);
ALTER TABLE ONLY public.facts
    ADD CONSTRAINT uq_facts_study_id_request UNIQUE (study_id, request);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT uq_proposals_study_id_round UNIQUE (study_id, round);
ALTER TABLE ONLY public.studies
    ADD CONSTRAINT uq_studies_name UNIQUE (name);
ALTER TABLE ONLY public.comparisons
    ADD CONSTRAINT fk_comparisons_study_id_loser_proposal FOREIGN KEY (study_id, loser_proposal) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.comparisons
    ADD CONSTRAINT fk_comparisons_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
ALTER TABLE ONLY public.comparisons
    ADD CONSTRAINT fk_comparisons_study_id_winner_proposal FOREIGN KEY (study_id, winner_proposal) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.constraints
    ADD CONSTRAINT fk_constraints_study_id FOREIGN KEY (study_id) REFERENCES public.studies(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT fk_decisions_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT fk_decisions_study_id_proposal FOREIGN KEY (study_id, proposal) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.explanation_parts
    ADD CONSTRAINT fk_explanation_parts_study_id_number FOREIGN KEY (study_id, number) REFERENCES public.explanations(study_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.explanation_terms
    ADD CONSTRAINT fk_explanation_terms_study_id_number FOREIGN KEY (study_id, number) REFERENCES public.explanations(study_id, number) ON DELETE CASCADE;
ALTER TABLE ONLY public.explanations
    ADD CONSTRAINT fk_explanations_actor FOREIGN KEY (actor) REFERENCES public.people(name);
ALTER TABLE ONLY public.explanations
    ADD CONSTRAINT fk_explanations_study_id FOREIGN KEY (study_id) REFERENCES public.studies(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.explanations
    ADD CONSTRAINT fk_explanations_study_id_proposal FOREIGN KEY (study_id, proposal) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.facts
    ADD CONSTRAINT fk_facts_actor FOREIGN KEY (actor) REFERENCES public.people(name);
ALTER TABLE ONLY public.facts
    ADD CONSTRAINT fk_facts_study_id FOREIGN KEY (study_id) REFERENCES public.studies(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_leases_actor FOREIGN KEY (actor) REFERENCES public.people(name);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT fk_leases_study_id_proposal FOREIGN KEY (study_id, proposal) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.observations
    ADD CONSTRAINT fk_observations_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
ALTER TABLE ONLY public.observations
    ADD CONSTRAINT fk_observations_study_id_proposal FOREIGN KEY (study_id, proposal) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.outcomes
    ADD CONSTRAINT fk_outcomes_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT fk_revisions_study_id_observation FOREIGN KEY (study_id, observation) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.revisions
    ADD CONSTRAINT fk_revisions_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
ALTER TABLE ONLY public.withdrawals
    ADD CONSTRAINT fk_withdrawals_study_id_fact FOREIGN KEY (study_id, fact) REFERENCES public.facts(study_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.withdrawals
    ADD CONSTRAINT fk_withdrawals_study_id_place FOREIGN KEY (study_id, place) REFERENCES public.facts(study_id, place) ON DELETE CASCADE;
