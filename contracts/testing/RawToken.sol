// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A token whose getters answer any bytes. One without an answer uses all its gas and fails.
contract RawToken {
    mapping(bytes4 getter => bytes) private _answers;

    function setAnswer(bytes4 getter, bytes calldata answer) external {
        _answers[getter] = answer;
    }

    fallback() external {
        bytes memory answer = _answers[msg.sig];
        assembly ("memory-safe") {
            if iszero(mload(answer)) { invalid() }
            return(add(answer, 32), mload(answer))
        }
    }
}
